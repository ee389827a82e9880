// info.isBootstrapped: while a node starts, none of its chains has caught up.

import { isBootstrapped } from '../../operations/node/info.ts'
import { chainIdOf, isBootstrapping, runsChain } from '../node/node-state.ts'
import { notGiven, refusal } from '../node/node-words.ts'
import { handles, nodeOf } from '../handler.ts'

export const handleIsBootstrapped = handles(isBootstrapped, (place, { chain }) => {
  const node = nodeOf(place)
  if (chain === '') throw notGiven('chain')
  const id = chainIdOf(node, place.world, chain)
  if (id === undefined || !runsChain(node, place.world, id)) {
    throw refusal(`there is no chain with alias/ID '${chain}'`)
  }
  return { isBootstrapped: !isBootstrapping(node, id) }
})

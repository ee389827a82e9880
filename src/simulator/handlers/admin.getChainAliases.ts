// admin.getChainAliases: the names of a chain on this node. Live nodes want its id, and count that among them.

import { getChainAliases } from '../../operations/node/admin.getChainAliases.ts'
import { chainIdOf, isId } from '../node-state.ts'
import { noSuchChain, refusal } from '../node-words.ts'
import { handles, nodeOf } from '../serve.ts'

export const handleGetChainAliases = handles(getChainAliases, (place, { chain }) => {
  const node = nodeOf(place)
  const isLive = place.dialect === 'live'
  if (isLive && !isId(chain)) throw refusal(`couldn't parse ID "${chain}"`)
  const id = chainIdOf(node, place.world, chain)
  if (id === undefined) {
    if (isLive) return { aliases: null }
    throw noSuchChain(chain)
  }
  const names = node.chainAliases.get(id) ?? []
  return { aliases: isLive ? [...names, id] : names }
})

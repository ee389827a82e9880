// admin.getChainAliases: the names of a chain on this node. Live nodes want its id, and count that among them.

import { getChainAliases } from '../../operations/node/admin.ts'
import { chainIdOf } from '../node/node-state.ts'
import { idFlaw, noSuchChain, refusal } from '../node/node-words.ts'
import { handles, nodeOf } from '../handler.ts'

export const handleGetChainAliases = handles(getChainAliases, (place, { chain }) => {
  const node = nodeOf(place)
  const isLive = place.dialect === 'live'
  const flaw = isLive ? idFlaw(chain) : undefined
  if (flaw !== undefined) throw refusal(flaw)
  const id = chainIdOf(node, place.world, chain)
  if (id === undefined) {
    if (isLive) return { aliases: null }
    throw noSuchChain(chain)
  }
  const names = node.chainAliases.get(id) ?? []
  return { aliases: isLive ? [...names, id] : names }
})

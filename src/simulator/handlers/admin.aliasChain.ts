// admin.aliasChain: a chain of the network gets one more name on this node.

import { aliasChain } from '../../operations/node/admin.ts'
import { chainIdOf } from '../node/node-state.ts'
import { aliasTooLong, noSuchChain, refusal } from '../node/node-words.ts'
import { handles, nodeOf } from '../handler.ts'

/** Of a live node; the document sets no limit here. */
const LONGEST = 512

export const handleAliasChain = handles(aliasChain, (place, { chain, alias }) => {
  const node = nodeOf(place)
  if (place.dialect === 'live' && alias.length > LONGEST) throw aliasTooLong()
  const id = chainIdOf(node, place.world, chain)
  if (id === undefined) throw noSuchChain(chain)
  if (chainIdOf(node, place.world, alias) !== undefined) throw refusal(`alias already mapped to an ID: ${alias}`)
  node.chainAliases.set(id, [...(node.chainAliases.get(id) ?? []), alias])
  return {}
})

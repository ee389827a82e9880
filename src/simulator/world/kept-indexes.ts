// What a node's index of a chain has of the containers: not the newest while it has stalled, and none of the old ones after a
// restart.

import type { PrimaryChain } from '../../lib/primary-network.ts'
import type { Containers, Indexes } from './containers.ts'
import { chainIds } from './fixed-ids.ts'

/** Positions among all containers of the chain: the first that the index has, and the last that it can have. */
interface Range {
  first: number
  last: number
}

export interface Kept {
  blocks: Range
  /** Of the X-Chain. */
  transactions: Range
}

const ALL: Range = { first: 0, last: Infinity }
export const ALL_OF_IT: Kept = { blocks: ALL, transactions: ALL }

/** `indexes` are those of the node with nothing missing. */
export function keptOf(
  before: Kept,
  { blocks, transactions }: Indexes,
  chain: PrimaryChain,
  change: 'stall' | 'resume' | 'begin',
): Kept {
  function changed(range: Range, containers: Containers): Range {
    const newest = containers.last()
    if (change === 'begin') return { first: newest + 1, last: Infinity }
    return { ...range, last: change === 'stall' ? newest : Infinity }
  }
  return {
    blocks: changed(before.blocks, blocks[chain]),
    transactions: changed(before.transactions, transactions),
  }
}

/** By the ids of the chains. */
export function onlyKept(indexes: Indexes, kept: ReadonlyMap<string, Kept>): Indexes {
  if (kept.size === 0) return indexes
  const of = (chain: PrimaryChain) => kept.get(chainIds[chain]) ?? ALL_OF_IT
  const each = ({ P, X, C }: Indexes['blocks']) => ({
    P: only(P, of('P').blocks),
    X: only(X, of('X').blocks),
    C: only(C, of('C').blocks),
  })
  return {
    ...indexes,
    blocks: each(indexes.blocks),
    proposals: each(indexes.proposals),
    transactions: only(indexes.transactions, of('X').transactions),
  }
}

function only(containers: Containers, { first, last }: Range): Containers {
  const end = () => Math.min(containers.last(), last)
  return {
    last: () => end() - first,
    at: (position) => (position < 0 || position + first > end() ? undefined : containers.at(position + first)),
    find(id) {
      const position = containers.find(id)
      return position === undefined || position < first || position > end() ? undefined : position - first
    },
  }
}

// What the collectors of a node's index share: the chains that have one, and where it ends (document 2, Index interface).

import type { Network } from '../../config/schema.ts'
import { BaseError } from '../../errors.ts'
import { type PrimaryChain, primaryChains } from '../../lib/primary-network.ts'
import type { Answer, AnswerOf, Params } from '../../operations/define.ts'
import { getLastAccepted } from '../../operations/node/index.getLastAccepted.ts'
import { ifNotFound } from '../answers/not-found.ts'
import type { Subject } from '../define.ts'

export type Container = AnswerOf<typeof getLastAccepted>

export interface IndexedChain extends Subject {
  /** Parameters that name the index. Those of transactions and of vertices no longer grow on live nodes. */
  of: { chain: PrimaryChain; kind: 'block' }
}

export function indexedChains({ chains }: Network): IndexedChain[] {
  return chains.flatMap(({ id, name }) => {
    const chain = primaryChains[id]
    return chain ? [{ name, labels: { chain: name }, of: { chain, kind: 'block' } }] : []
  })
}

type Call = (operation: typeof getLastAccepted, params: Params<typeof getLastAccepted>) => Promise<Answer<Container>>

/** Undefined while the index is empty. */
export async function newestContainer(call: Call, of: IndexedChain['of']): Promise<Container | undefined> {
  return (await call(getLastAccepted, of).catch(ifNotFound))?.value
}

/** How many containers the index holds: what must not go backwards. */
export function sizeOf(newest: Container | undefined): bigint {
  return newest ? newest.index + 1n : 0n
}

export function shorterThanBefore(): BaseError {
  return new BaseError('stale_response', 'the index ends before a container that it had')
}

// What the collectors of a node's index share: which chains have one, and its newest block (document 2, Index interface).

import type { Network } from '../../config/schema.ts'
import { BaseError } from '../../errors.ts'
import { type PrimaryChain, primaryChains } from '../../lib/primary-network.ts'
import type { Answer, AnswerOf, Params } from '../../operations/define.ts'
import { getLastAccepted } from '../../operations/node/index.getLastAccepted.ts'
import { ifNotFound, isUnsupported } from '../answers/not-found.ts'
import type { Subject } from '../define.ts'

export type Container = AnswerOf<typeof getLastAccepted>

export interface IndexedChain extends Subject {
  /** Parameters that name the index of blocks. The indexes of X-Chain transactions and vertices stay empty on live nodes. */
  of: { chain: PrimaryChain; kind: 'block' }
}

export function indexedChains({ chains }: Network): IndexedChain[] {
  return chains.flatMap(({ id, name }) => {
    const chain = primaryChains[id]
    return chain ? [{ name, labels: { chain: name }, of: { chain, kind: 'block' } }] : []
  })
}

type Call = (
  operation: typeof getLastAccepted,
  params: Params<typeof getLastAccepted>,
  how: { maxAge: string },
) => Promise<Answer<Container>>

/** A node that starts, or restarts with its index, is noticed at the next run: a refusal is not remembered. */
const PROBE = { maxAge: '0s' }

/** Undefined while the index is empty. Throws `unsupported` when the node runs without its index. */
export async function newestContainer(call: Call, of: IndexedChain['of']): Promise<Container | undefined> {
  try {
    return (await call(getLastAccepted, of, PROBE).catch(ifNotFound))?.value
  } catch (error) {
    if (!isUnsupported(error)) throw error
    // A node opens the index of a chain when it starts the chain, and the P-Chain is the first to start.
    if (of.chain !== 'P' && (await isServed(call, { ...of, chain: 'P' }))) throw notStarted(of.chain)
    throw noIndex()
  }
}

async function isServed(call: Call, of: IndexedChain['of']): Promise<boolean> {
  try {
    await call(getLastAccepted, of, PROBE).catch(ifNotFound)
    return true
  } catch (error) {
    if (isUnsupported(error)) return false
    throw error
  }
}

function notStarted(chain: PrimaryChain): BaseError {
  return new BaseError('http_status', `the node is still starting: it has an index, but not of the ${chain}-Chain yet`)
}

function noIndex(): BaseError {
  return new BaseError(
    'unsupported',
    'the node serves no index: start it with --index-enabled, or take `index: true` out of the configuration',
  )
}

/** How many containers the index holds: what must not go backwards. */
export function sizeOf(newest: Container | undefined): bigint {
  return newest ? newest.index + 1n : 0n
}

export const SHORTER = 'the index ends before a container that it had'

// Shared by the collectors of a node's index: which chains have one, and its newest block (document 2, Index
// interface).

import type { Network } from '../../config/schema.ts'
import { BaseError } from '../../errors.ts'
import { type PrimaryChain, primaryChains } from '../../lib/primary-network.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { getLastAccepted } from '../../operations/node/indexes.ts'
import { failsWith, ifNotFound, isUnsupported } from '../answers/not-found.ts'
import type { Ask, Subject } from '../define.ts'

export type Container = AnswerOf<typeof getLastAccepted>

export interface IndexedChain extends Subject {
  /** Parameters of the index of blocks. The indexes of X-Chain transactions and vertices stay empty on live nodes. */
  of: { chain: PrimaryChain; kind: 'block' }
}

export function indexedChains({ chains }: Network): IndexedChain[] {
  return chains.flatMap(({ id, name }) => {
    const chain = primaryChains[id]
    return chain ? [{ name, id, labels: { chain: name }, of: { chain, kind: 'block' } }] : []
  })
}

type Call = Ask<typeof getLastAccepted>['call']

/** A refusal is not remembered, so that the next run notices a node that restarts with its index. */
const PROBE = { maxAge: '0s' }

/** Undefined while the index is empty. Throws `unsupported` if the node runs without its index. */
export async function newestContainer(call: Call, of: IndexedChain['of']): Promise<Container | undefined> {
  const newestOf = (one: IndexedChain['of']) => call(getLastAccepted, one, PROBE).catch(ifNotFound)
  try {
    return (await newestOf(of))?.value
  } catch (error) {
    if (!isUnsupported(error)) throw error
    // A node opens a chain's index when it starts the chain, and starts the P-Chain first.
    if (of.chain !== 'P' && !(await failsWith(isUnsupported, newestOf({ ...of, chain: 'P' })))) {
      throw new BaseError('not_ready', `the node is still starting and has no index yet of the ${of.chain}-Chain`)
    }
    throw new BaseError(
      'unsupported',
      'the node serves no index: start it with --index-enabled, or remove `index: true` from the configuration',
    )
  }
}

/** Number of containers in the index, which must not go backwards. */
export function sizeOf(newest: Container | undefined): bigint {
  return newest ? newest.index + 1n : 0n
}

export const SHORTER = 'the index ends before a container that it had'

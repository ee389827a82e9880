// The blockchains of a network, as a node lists them (document 2, platform.getBlockchains).

import { BaseError } from '../../errors.ts'
import { PRIMARY_NETWORK_ID, primaryChains } from '../../lib/primary-network.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { getBlockchains } from '../../operations/node/platform-subnets.ts'
import type { Ask } from '../define.ts'

export type Blockchain = AnswerOf<typeof getBlockchains>['blockchains'][number]
type Call = Ask<typeof getBlockchains>['call']

/** The list is long and hardly changes: all runs of an hour share it. */
const LIST = { maxAge: '1h' }
/** Runs that miss a young chain in that list share one of this age: at most one request a minute per node. */
const YOUNGER_LIST = { maxAge: '1m' }

export interface BlockchainList {
  records: readonly Blockchain[]
  /** Unreadable records that were left out. */
  dropped: number
}

/** `has` checks whether the list has what the run looks for: if not, a younger list is read before the thing counts as absent. */
export async function listBlockchains(call: Call, has: (list: BlockchainList) => boolean): Promise<BlockchainList> {
  const list = await read(call, LIST)
  return has(list) ? list : await read(call, YOUNGER_LIST)
}

async function read(call: Call, how: { maxAge: string }): Promise<BlockchainList> {
  const { value, dropped } = await call(getBlockchains, {}, how)
  if (value.blockchains.length > 0) return { records: value.blockchains, dropped }
  throw new BaseError('bad_response', 'the node lists no blockchains')
}

/** The list, and the record of one chain in it: undefined if it has none. */
export async function lookUp(call: Call, chainId: string) {
  const list = await listBlockchains(call, (one) => recordOf(one, chainId) !== undefined)
  return { list, record: recordOf(list, chainId) }
}

/** By the id of the chain, or by an alias such as c-chain. */
function recordOf({ records }: BlockchainList, chainId: string): Blockchain | undefined {
  if (!isAlias(chainId)) return records.find(({ id }) => id === chainId)
  const letter = primaryChains[chainId]
  // Names are not unique, but users cannot create a blockchain on the primary network.
  return records.find(
    ({ id, name, subnetID }) =>
      subnetID === PRIMARY_NETWORK_ID && (primaryChains[id] === letter || name === `${letter}-Chain`),
  )
}

export function isAlias(chainId: string): boolean {
  return chainId.includes('-')
}

/** Why there is no record of a blockchain. */
export function notListed({ dropped }: Pick<BlockchainList, 'dropped'>): BaseError {
  return dropped > 0
    ? new BaseError('bad_response', 'the blockchain may be among the unreadable records')
    : new BaseError('unsupported', 'no source knows this blockchain')
}

// The blockchains of a network, as a node lists them (document 2, platform.getBlockchains).

import { BaseError } from '../../errors.ts'
import { PRIMARY_NETWORK_ID, primaryChains } from '../../lib/primary-network.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { getBlockchains } from '../../operations/node/platform.getBlockchains.ts'
import type { Run } from '../define.ts'

export type Blockchain = AnswerOf<typeof getBlockchains>['blockchains'][number]
type Call = Run<typeof getBlockchains, never, never>['call']

/** The list is long and hardly changes: all runs of an hour share it. */
const LIST = { maxAge: '1h' }

export interface BlockchainList {
  records: readonly Blockchain[]
  /** Records that were left out because they did not fit. */
  dropped: number
}

export async function listBlockchains(call: Call): Promise<BlockchainList> {
  const { value, dropped } = await call(getBlockchains, {}, LIST)
  if (value.blockchains.length > 0) return { records: value.blockchains, dropped }
  throw new BaseError('bad_response', 'the node lists no blockchains, and every network has some')
}

/** The record of a configured chain: by its id, or by an alias such as c-chain. */
export function recordOf({ records }: BlockchainList, chainId: string): Blockchain | undefined {
  if (!isAlias(chainId)) return records.find(({ id }) => id === chainId)
  const letter = primaryChains[chainId]
  // Names are not unique, but nobody can create a blockchain on the primary network.
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
    ? new BaseError('bad_response', 'the blockchain may be among the records that had to be left out')
    : new BaseError('unsupported', 'none of those asked knows this blockchain')
}

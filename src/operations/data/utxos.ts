// What wallets have on the chains of the primary network: outputs, and their sums.

import { z } from 'zod'
import {
  chainInfo,
  count,
  flag,
  integer,
  nextPageToken,
  optional,
  orNone,
  timestamp,
  unsigned,
  word,
} from '../fields.ts'
import { assetAmount } from './shared.ts'
import { defineOperation } from '../define.ts'
import {
  areOfNetwork,
  atTimestamp,
  blockchainId,
  mixedAddresses,
  network,
  ofUtxos,
  OTHER_NETWORK,
  pageSize,
  pageSizeUpTo,
  someAddresses,
} from './parameters.ts'

/** The owner of an output may choose any time, even beyond 2^53. Absent: not locked. */
const locktime = unsigned.describe('Unix time in seconds')

/** Only live services have these, for the X- and C-Chain. */
export const credential = z.object({ signature: optional(z.string()), publicKey: optional(z.string()) })

/**
 * Document 1, Utxo. For the X- and C-Chain live services give another shape: only `asset` has the amount, and the last
 * fields here replace some of the others.
 */
export const utxo = z.object({
  utxoId: z.string().min(1),
  addresses: orNone(z.array(z.string())),
  asset: orNone(assetAmount),
  amount: orNone(unsigned).describe('in the smallest unit'),
  assetId: orNone(z.string()),
  createdOnChainId: orNone(z.string()),
  consumedOnChainId: orNone(z.string()),
  txHash: optional(z.string()).describe('of the transaction that made it'),
  outputIndex: optional(integer),
  blockNumber: optional(unsigned),
  blockTimestamp: optional(timestamp),
  consumingTxHash: orNone(z.string()).describe('absent: unspent'),
  consumingBlockNumber: orNone(unsigned),
  consumingBlockTimestamp: orNone(timestamp),
  platformLocktime: orNone(locktime),
  stakeableLocktime: orNone(locktime),
  threshold: optional(integer),
  staked: orNone(flag),
  rewardType: optional(word).describe('VALIDATOR, and on live services DELEGATOR, VALIDATOR_FEE: an open set'),
  utxoType: orNone(word).describe('STAKE, and on live services TRANSFER: an open set'),
  utxoStartTimestamp: optional(timestamp),
  utxoEndTimestamp: orNone(timestamp),
  utxoBytes: optional(z.string()),
  creationTxHash: optional(z.string()),
  timestamp: optional(timestamp),
  locktime: orNone(locktime),
  consumingTxTimestamp: optional(timestamp),
  groupId: optional(integer),
  payload: optional(z.string()),
  credentials: optional(z.array(credential)),
})

/** What wallets can spend, and on request what they have spent. For many addresses use operation 3. */
export const listUtxos = defineOperation({
  name: 'list-utxos',
  source: 'document 1, operation 7',
  via: { get: '/v1/networks/{network}/blockchains/{blockchainId}/utxos' },
  params: ofUtxos(someAddresses, pageSize),
  answer: z.object({ nextPageToken, utxos: z.array(utxo), chainInfo }),
  items: 'utxos',
  cost: 100,
  integers: 'exact',
})

/** For many addresses at once: what wallets can spend, and on request what they have spent. Live services answer with 201. */
export const listUtxosV2 = defineOperation({
  name: 'list-utxos-v2',
  source: 'document 1, operation 3',
  via: { post: '/v1/networks/{network}/blockchains/{blockchainId}/utxos', body: ['addresses'] },
  params: ofUtxos(mixedAddresses, pageSizeUpTo(1024)),
  answer: z.object({ nextPageToken, utxos: z.array(utxo), chainInfo }),
  items: 'utxos',
  cost: 100,
  integers: 'exact',
})

const balance = assetAmount.extend({ utxoCount: optional(count) })
const shared = balance.extend({
  sharedWithChainId: optional(z.string()),
  status: optional(z.string()).describe('an open set; live services have it on the P-Chain alone'),
})

const balances = z.object({
  unlockedUnstaked: orNone(z.array(balance)),
  unlockedStaked: orNone(z.array(balance)),
  lockedPlatform: orNone(z.array(balance)),
  lockedStakeable: orNone(z.array(balance)),
  lockedStaked: orNone(z.array(balance)),
  pendingStaked: orNone(z.array(balance)),
  atomicMemoryUnlocked: orNone(z.array(shared)).describe('on its way between chains'),
  atomicMemoryLocked: orNone(z.array(shared)).describe('on its way between chains'),
  restakedRewards: optional(unsigned).describe(
    'rewards that auto-renewed validators have staked again, in nAVAX; in no list; absent for a blockTimestamp',
  ),
  unlocked: orNone(z.array(balance)).describe('X-Chain on live services'),
  locked: orNone(z.array(balance)).describe('X-Chain on live services'),
})

/**
 * What wallets have on a primary network chain, by what they can do with it. For the C-Chain only its atomic memory; operation
 * 13 has the rest. On live services each chain has its own members.
 */
export const getBalances = defineOperation({
  name: 'get-balances',
  source: 'document 1, operation 6',
  via: { get: '/v1/networks/{network}/blockchains/{blockchainId}/balances' },
  params: z
    .object({ network, blockchainId, blockTimestamp: atTimestamp, addresses: someAddresses })
    .refine(areOfNetwork, OTHER_NETWORK),
  answer: z.object({ balances, chainInfo }),
  cost: 100,
})

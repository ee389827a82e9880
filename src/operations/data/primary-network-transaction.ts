// The transaction of a primary network chain, as operations 4 and 5 give it.

import { z } from 'zod'
import { count, integer, optional, pageToken, percent, orNone, timestamp, unsigned, word } from '../fields.ts'
import { assetAmount } from './asset.ts'
import { autoRenew } from './auto-renew.ts'
import { genesisData } from './genesis.ts'
import { pageSize, sinceTimestamp, sortOrder, untilTimestamp } from './parameters.ts'
import { credential, utxo } from './utxo.ts'

/** Filters other than the owner. */
export const transactionFilters = {
  txTypes: z
    .array(z.string().trim().min(1, 'expected names of transaction types'))
    .optional()
    .describe('only of these types, such as AddValidatorTx: an open set'),
  startTimestamp: sinceTimestamp,
  endTimestamp: untilTimestamp,
  pageToken,
  pageSize,
  sortOrder,
}

const difference = z
  .union([z.string().regex(/^-?\d{1,78}$/, 'expected a decimal integer'), z.int(), z.bigint()])
  .transform((value) => BigInt(value))

/** JSON has numbers beyond doubles, which are read as Infinity. */
function hasFiniteNumbers(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(hasFiniteNumbers)
}

const l1Validator = z.object({
  validationId: orNone(z.string()),
  validationIdHex: optional(z.string()),
  nodeId: optional(z.string()),
  subnetId: optional(z.string()),
  weight: optional(unsigned),
  remainingBalance: optional(unsigned).describe('in the smallest unit'),
  balanceChange: orNone(difference).describe('in the smallest unit; negative where it is returned'),
  blsCredentials: optional(z.record(z.string(), z.unknown()).refine(hasFiniteNumbers)).describe(
    'the document gives no members',
  ),
})

/** Fields that live services have on the X-Chain and, but for the last three, on the C-Chain. */
const atomic = {
  timestamp: orNone(timestamp),
  blockHeight: optional(unsigned),
  amountUnlocked: orNone(z.array(assetAmount)),
  amountCreated: orNone(z.array(assetAmount)),
  evmInputs: orNone(
    z.array(
      z.object({
        fromAddress: orNone(z.string()),
        asset: orNone(assetAmount),
        credentials: optional(z.array(credential)),
      }),
    ),
  ),
  evmOutputs: orNone(z.array(z.object({ toAddress: orNone(z.string()), asset: orNone(assetAmount) }))),
  chainFormat: optional(z.string()).describe('linear; older ones are non-linear, with vertices for a block'),
  vertices: optional(
    z.array(z.object({ hash: optional(z.string()), height: optional(unsigned), timestamp: optional(timestamp) })),
  ),
  assetCreated: optional(
    assetAmount
      .omit({ amount: true })
      .extend({ createdAtTimestamp: optional(timestamp), cap: optional(z.string()).describe('fixed or variable') }),
  ),
}

/**
 * Document 1, PrimaryNetworkTransaction. For the X- and C-Chain live services give another shape: `timestamp` and
 * `blockHeight` replace `blockTimestamp` and `blockNumber`, and `amountUnlocked` and `amountCreated` replace `value`.
 */
export const primaryNetworkTransaction = z.object({
  txHash: z.string().min(1),
  txType: orNone(word).describe('an open set of names'),
  blockTimestamp: orNone(timestamp),
  blockNumber: optional(unsigned),
  blockHash: optional(z.string()),
  consumedUtxos: orNone(z.array(utxo)),
  emittedUtxos: orNone(z.array(utxo)),
  sourceChain: optional(z.string()),
  destinationChain: optional(z.string()),
  value: optional(z.array(assetAmount)),
  amountBurned: orNone(z.array(assetAmount)),
  amountStaked: orNone(z.array(assetAmount)),
  amountL1ValidatorBalanceBurned: orNone(z.array(assetAmount)),
  startTimestamp: optional(timestamp).describe('of the stake'),
  endTimestamp: optional(timestamp).describe('of the stake'),
  delegationFeePercent: optional(percent),
  nodeId: optional(z.string()),
  subnetId: optional(z.string()),
  l1ValidatorManagerDetails: optional(
    z.object({ blockchainId: optional(z.string()), contractAddress: optional(z.string()) }),
  ),
  l1ValidatorDetails: orNone(z.array(l1Validator)),
  estimatedReward: optional(unsigned).describe('in the smallest unit'),
  rewardTxHash: optional(z.string()),
  rewardAddresses: orNone(z.array(z.string())),
  memo: optional(z.string()),
  stakingTxHash: optional(z.string()),
  subnetOwnershipInfo: optional(
    z.object({
      locktime: optional(unsigned).describe('Unix time in seconds'),
      threshold: optional(integer),
      addresses: optional(z.array(z.string())),
    }),
  ),
  blsCredentials: optional(z.object({ publicKey: optional(z.string()), proofOfPossession: optional(z.string()) })),
  blockchainInfo: optional(z.object({ chainName: optional(z.string()), vmId: optional(z.string()), genesisData })),
  period: optional(count).describe('seconds of a period of an auto-renewed validation; 0: it is to leave'),
  autoCompoundRewardShares: optional(count).describe('millionths of the rewards that are staked again'),
  validatorAuthority: optional(
    z.object({ addresses: optional(z.array(z.string())), threshold: optional(integer) }),
  ).describe('who may change an auto-renewed validation'),
  autoRenew: orNone(autoRenew).describe('of a running auto-renewed validation'),
  ...atomic,
})

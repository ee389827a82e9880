// The transaction of a primary network chain, as operations 4 and 5 give it.

import { z } from 'zod'
import { integer, optional, pageToken, percent, telling, timestamp, unsigned, word } from '../fields.ts'
import { assetAmount } from './asset.ts'
import { genesisData } from './genesis.ts'
import { pageSize, sinceTimestamp, sortOrder, untilTimestamp } from './parameters.ts'
import { credential, utxo } from './utxo.ts'

/** Which transactions, beside whose. */
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

const l1Validator = z.object({
  validationId: telling(z.string()),
  validationIdHex: optional(z.string()),
  nodeId: optional(z.string()),
  subnetId: optional(z.string()),
  weight: optional(unsigned),
  remainingBalance: optional(unsigned).describe('in the smallest unit'),
  balanceChange: telling(difference).describe('in the smallest unit; negative where it is returned'),
  blsCredentials: optional(z.record(z.string(), z.unknown())).describe('the document gives no members'),
})

/** Fields that live services have on the X-Chain and, but for the last three, on the C-Chain. */
const atomic = {
  timestamp: telling(timestamp),
  blockHeight: optional(unsigned),
  amountUnlocked: telling(z.array(assetAmount)),
  amountCreated: telling(z.array(assetAmount)),
  evmInputs: telling(
    z.array(
      z.object({
        fromAddress: telling(z.string()),
        asset: telling(assetAmount),
        credentials: optional(z.array(credential)),
      }),
    ),
  ),
  evmOutputs: telling(z.array(z.object({ toAddress: telling(z.string()), asset: telling(assetAmount) }))),
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
 * Document 1, PrimaryNetworkTransaction. Of the X- and C-Chain live services give another shape: `timestamp` and
 * `blockHeight` take the place of `blockTimestamp` and `blockNumber`, and `amountUnlocked` and `amountCreated` that of
 * `value`.
 */
export const primaryNetworkTransaction = z.object({
  txHash: z.string().min(1),
  txType: telling(word).describe('an open set of names'),
  blockTimestamp: telling(timestamp),
  blockNumber: optional(unsigned),
  blockHash: optional(z.string()),
  consumedUtxos: telling(z.array(utxo)),
  emittedUtxos: telling(z.array(utxo)),
  sourceChain: optional(z.string()),
  destinationChain: optional(z.string()),
  value: optional(z.array(assetAmount)),
  amountBurned: telling(z.array(assetAmount)),
  amountStaked: telling(z.array(assetAmount)),
  amountL1ValidatorBalanceBurned: telling(z.array(assetAmount)),
  startTimestamp: optional(timestamp).describe('of the stake'),
  endTimestamp: optional(timestamp).describe('of the stake'),
  delegationFeePercent: optional(percent),
  nodeId: optional(z.string()),
  subnetId: optional(z.string()),
  l1ValidatorManagerDetails: optional(
    z.object({ blockchainId: optional(z.string()), contractAddress: optional(z.string()) }),
  ),
  l1ValidatorDetails: telling(z.array(l1Validator)),
  estimatedReward: optional(unsigned).describe('in the smallest unit'),
  rewardTxHash: optional(z.string()),
  rewardAddresses: telling(z.array(z.string())),
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
  ...atomic,
})

// Transactions of the chains of the primary network.

import { z } from 'zod'
import {
  chainInfo,
  count,
  integer,
  nextPageToken,
  optional,
  orNone,
  pageToken,
  percent,
  timestamp,
  unsigned,
  word,
} from '../fields.ts'
import { assetAmount, autoRenew } from './shared.ts'
import { genesisData } from './genesis.ts'
import {
  addressesOfAnyChain,
  areOfNetwork,
  blockchainId,
  listed,
  network,
  OTHER_NETWORK,
  pageSize,
  pChainId,
  sinceTimestamp,
  someAddresses,
  sortOrder,
  untilTimestamp,
} from './parameters.ts'
import { credential, utxo } from './utxos.ts'
import { primaryChains } from '../../lib/primary-network.ts'
import { defineOperation } from '../define.ts'

/** Filters other than the owner. */
const transactionFilters = {
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
const primaryNetworkTransaction = z.object({
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

const params = z.object({
  network,
  blockchainId,
  addresses: addressesOfAnyChain,
  l1ValidationId: z.string().min(1).optional().describe('only transactions of this L1 validator; P-Chain alone'),
  ...transactionFilters,
})
type Given = z.output<typeof params>

/**
 * Those of a primary network chain, of wallets or of an L1 validator. With many UTXOs a page has fewer transactions than asked
 * for, and more pages follow.
 */
export const listLatestTransactions = defineOperation({
  name: 'list-latest-transactions',
  source: 'document 1, operation 4',
  via: { get: '/v1/networks/{network}/blockchains/{blockchainId}/transactions' },
  params: params
    .refine(areFiltersAllowed, {
      message: 'txTypes, startTimestamp and endTimestamp need addresses, or on the P-Chain l1ValidationId',
    })
    .refine(isValidatorOnP, { path: ['l1ValidationId'], message: 'l1ValidationId applies to the P-Chain alone' })
    .refine(isEvmOnC, { path: ['addresses'], message: '0x... addresses are for the C-Chain alone' })
    .refine(areOfNetwork, OTHER_NETWORK),
  answer: z.object({ nextPageToken, transactions: z.array(primaryNetworkTransaction), chainInfo }),
  items: 'transactions',
  cost: 100,
  integers: 'exact',
})

function areFiltersAllowed({ addresses, l1ValidationId, txTypes, startTimestamp, endTimestamp }: Given): boolean {
  const isFiltered = (txTypes ?? startTimestamp ?? endTimestamp) !== undefined
  return !isFiltered || (addresses ?? l1ValidationId) !== undefined
}

function isValidatorOnP({ blockchainId, l1ValidationId }: Given): boolean {
  return l1ValidationId === undefined || primaryChains[blockchainId] === 'P'
}

function isEvmOnC({ blockchainId, addresses }: Given): boolean {
  if (addresses === undefined || primaryChains[blockchainId] === 'C') return true
  return !listed(addresses).some((one) => one.startsWith('0x'))
}

/** The active stakes of wallets. Only the P-Chain has stakes. */
export const listStakingTransactions = defineOperation({
  name: 'list-staking-transactions',
  source: 'document 1, operation 5',
  via: { get: '/v1/networks/{network}/blockchains/{blockchainId}/transactions:listStaking' },
  params: z
    .object({ network, blockchainId: pChainId, addresses: someAddresses, ...transactionFilters })
    .refine(areOfNetwork, OTHER_NETWORK),
  answer: z.object({ nextPageToken, transactions: z.array(primaryNetworkTransaction), chainInfo }),
  items: 'transactions',
  cost: 100,
  integers: 'exact',
})

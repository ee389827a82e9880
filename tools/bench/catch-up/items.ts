// Endless lists of a data service: blocks, transfers and messages, each item made from its position. The form is that of
// live services.

import { NOW } from '../publication/validators.ts'

/** New items of a round: as many as the collector of blocks reads in one run. */
export const BATCH = 5_000
/** Seconds between two items. */
const PACE = 2
/** Seconds from round to round. */
export const SPAN = BATCH * PACE

export const CHAIN = '43114'
export const WALLET = `0x${'a1'.repeat(20)}`
export const TOKEN = `0x${'b2'.repeat(20)}`

const hex = (at: number, length: number) => `0x${at.toString(16).padStart(length, '0')}`
/** The last item of the first round is now. */
const timeOf = (at: number) => NOW + (at - BATCH) * PACE

export interface List {
  collector: string
  /** The member of the answer that holds the items. */
  items: string
  /** As many as the collector asks for. */
  page: number
  item(at: number): object
  /** Finds the counter of all items among the published lines. */
  counter: RegExp
}

export const lists = {
  blocks: {
    collector: 'evm-blocks',
    items: 'blocks',
    page: 50,
    counter: /^stakewatch_evm_gas_utilisation_ratio_count\{.*\} (\d+)$/gm,
    item: (at) => ({
      chainId: CHAIN,
      blockNumber: String(at),
      blockTimestamp: timeOf(at),
      blockHash: hex(at, 64),
      txCount: at % 30,
      baseFee: '25000000000',
      gasUsed: String(1_000_000 + (at % 997) * 5_000),
      gasLimit: '15000000',
      gasCost: '12500000000000',
      parentHash: hex(at - 1, 64),
      feesSpent: String(10_000_000_000_000 + at),
      cumulativeTransactions: String(at * 30),
    }),
  },
  transfers: {
    collector: 'erc20-transfers',
    items: 'transactions',
    page: 100,
    counter: /^stakewatch_\w+_transfers_total\{.*\} (\d+)$/gm,
    item: (at) => ({
      blockNumber: String(at),
      blockTimestamp: timeOf(at),
      blockHash: hex(at, 64),
      txHash: hex(at * 7, 64),
      from: { address: at % 2 === 0 ? WALLET : hex(at % 1_000, 40) },
      to: { address: at % 2 === 0 ? hex(at % 1_000, 40) : WALLET },
      logIndex: at % 5,
      value: String(1_000_000 + at),
      erc20Token: { address: TOKEN, name: 'A token', symbol: 'TKN', decimals: 6, ercType: 'ERC-20' },
    }),
  },
  messages: {
    collector: 'icm',
    items: 'messages',
    page: 100,
    counter: /^stakewatch_icm_transitions_total\{.*state="pending"\} (\d+)$/gm,
    item: (at) => ({
      messageId: hex(at, 64),
      icmContractAddress: hex(1, 40),
      sourceBlockchainId: '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5',
      destinationBlockchainId: '2D8RG4UpSXbPbvPCAWppNJyqTG2i2CAXSkTgmTBBvs7GKNZjsY',
      sourceEvmChainId: CHAIN,
      destinationEvmChainId: '99999',
      messageNonce: String(at),
      from: hex(at % 1_000, 40),
      to: hex(at % 900, 40),
      data: hex(at, 256),
      messageExecuted: true,
      receipts: [],
      receiptDelivered: true,
      rewardDetails: { address: TOKEN, name: 'A token', symbol: 'TKN', decimals: 6, ercType: 'ERC-20', value: '0' },
      sourceTransaction: { txHash: hex(at * 3, 64), timestamp: timeOf(at), gasSpent: '21000' },
      destinationTransaction: { txHash: hex(at * 5, 64), timestamp: timeOf(at) + 1, gasSpent: '42000' },
      status: 'delivered',
    }),
  },
} as const satisfies Readonly<Record<string, List>>

export type Kind = keyof typeof lists

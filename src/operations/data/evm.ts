// Blocks, transactions, tokens and accounts of EVM chains.

import { z } from 'zod'
import {
  count,
  decimalPlaces,
  integer,
  nextPageToken,
  optional,
  orNone,
  pageToken,
  timestamp,
  unsigned,
  word,
} from '../fields.ts'
import { price } from './shared.ts'
import { defineOperation } from '../define.ts'
import { currency, evmAddress, evmChainId, pageSize } from './parameters.ts'

/** What the service knows of an account or a token. */
const evmNames = {
  name: optional(z.string()),
  symbol: optional(z.string()),
  decimals: decimalPlaces,
  logoUri: optional(z.string()),
}

/** Document 1, AddressInfo. Live services promise the address alone. */
const addressInfo = z.object({ address: z.string(), ...evmNames })

/** Document 1, Erc20Transfer: `erc20Token`. */
export const erc20Token = addressInfo.extend({
  ercType: optional(z.string()).describe('ERC-20 is the one known value: an open set'),
  price: optional(price).describe('of one whole token'),
})

/** What an address has of an EVM chain's own token. Live services sometimes leave out price and value. */
export const getNativeTokenBalance = defineOperation({
  name: 'get-native-token-balance',
  source: 'document 1, operation 13',
  via: { get: '/v1/chains/{chainId}/addresses/{address}/balances:getNative' },
  params: z.object({
    chainId: evmChainId,
    address: evmAddress,
    blockNumber: unsigned.optional().describe('as of this block; default: the newest one'),
    currency: currency.describe('of price and value'),
  }),
  answer: z.object({
    nativeTokenBalance: z.object({
      ...evmNames,
      chainId: orNone(z.string()),
      price: optional(price).describe('of one whole token'),
      balance: unsigned.describe('in the smallest unit'),
      balanceValue: optional(price).describe('of the whole balance'),
    }),
  }),
  cost: 20,
})

const transfer = z.object({
  blockNumber: unsigned,
  blockTimestamp: orNone(timestamp),
  blockTimestampMilliseconds: optional(integer).describe('live services only'),
  blockHash: optional(z.string()),
  txHash: z.string().min(1).describe('one transaction may make several transfers'),
  from: orNone(addressInfo),
  to: orNone(addressInfo),
  logIndex: count.describe('distinguishes the transfers of a transaction'),
  value: orNone(unsigned).describe('in the smallest unit of the token'),
  erc20Token: orNone(erc20Token),
})

/**
 * The tokens that came to an address and went from it. Any issuer can choose any name for a token: only its address identifies
 * it.
 */
export const listErc20Transfers = defineOperation({
  name: 'list-erc20-transfers',
  source: 'document 1, operation 8',
  via: { get: '/v1/chains/{chainId}/addresses/{address}/transactions:listErc20' },
  params: z.object({
    chainId: evmChainId,
    address: evmAddress,
    startBlock: unsigned.optional().describe('from this block on; default: the first one'),
    endBlock: unsigned.optional().describe('before this block; default: up to the newest one'),
    pageToken,
    pageSize,
  }),
  answer: z.object({ nextPageToken, transactions: z.array(transfer) }),
  items: 'transactions',
  cost: 20,
})

const transaction = z.object({
  blockNumber: orNone(unsigned),
  blockTimestamp: optional(timestamp),
  blockHash: optional(z.string()),
  chainId: orNone(z.string()),
  blockIndex: optional(integer).describe('position in the block'),
  txHash: z.string().min(1),
  txStatus: optional(z.string()).describe('on live services 1: done, 0: reverted'),
  txType: optional(integer),
  gasLimit: optional(unsigned),
  gasUsed: optional(unsigned),
  gasPrice: optional(unsigned),
  nonce: optional(unsigned),
  from: optional(addressInfo),
  to: optional(addressInfo),
  method: optional(
    z.object({
      callType: optional(word).describe(
        'CONTRACT_CALL, and on live services NATIVE_TRANSFER, CONTRACT_CREATION: an open set',
      ),
      methodHash: optional(z.string()),
      methodName: optional(z.string()),
    }),
  ),
  value: optional(unsigned).describe("in the smallest unit of the chain's own token"),
})

const PAGE_SIZE = 'expected 0 to 100'

/**
 * List transactions for an EVM block. The document does not say what a page size of 0 means, although it is the default: give
 * one from 1 on.
 */
export const listEvmBlockTransactions = defineOperation({
  name: 'list-evm-block-transactions',
  source: 'document 1, operation 11',
  via: { get: '/v1/chains/{chainId}/blocks/{blockId}/transactions' },
  params: z.object({
    chainId: evmChainId,
    blockId: z
      .string()
      .regex(/^(\d+|0x[0-9a-fA-F]{64})$/, 'expected a block number, or a hash: 0x and 64 hexadecimal digits')
      .describe('a block number or a block hash'),
    pageToken,
    pageSize: integer
      .pipe(z.int().min(0, PAGE_SIZE).max(100, PAGE_SIZE))
      .default(0)
      .describe('items per page; what 0 means is not documented'),
  }),
  answer: z.object({ nextPageToken, transactions: z.array(transaction) }),
  items: 'transactions',
  notFound: /./,
  cost: 20,
})

const evmBlock = z.object({
  chainId: orNone(z.string()).describe('live services have been seen without it'),
  blockNumber: unsigned,
  blockTimestamp: timestamp,
  blockTimestampMilliseconds: optional(integer).describe('live services only'),
  blockMinDelayExcess: optional(integer).describe('live services only'),
  blockHash: z.string().min(1),
  txCount: orNone(count),
  baseFee: orNone(unsigned),
  gasUsed: orNone(unsigned),
  gasLimit: orNone(unsigned),
  gasCost: optional(unsigned),
  parentHash: optional(z.string()),
  feesSpent: orNone(unsigned),
  cumulativeTransactions: orNone(unsigned).describe('of the chain up to this block'),
})

/** Newest first, one page at a time. Amounts are in the smallest unit of the chain's own token. */
export const listLatestEvmBlocks = defineOperation({
  name: 'list-latest-evm-blocks',
  source: 'document 1, operation 12',
  via: { get: '/v1/chains/{chainId}/blocks' },
  params: z.object({ chainId: evmChainId, pageToken, pageSize }),
  answer: z.object({ nextPageToken, blocks: z.array(evmBlock) }),
  items: 'blocks',
  cost: 10,
})

export type EvmBlock = z.output<typeof evmBlock>

// List transactions for an EVM block.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { integer, nextPageToken, optional, pageToken, orNone, timestamp, unsigned, word } from '../fields.ts'
import { addressInfo } from './evm.ts'
import { evmChainId } from './parameters.ts'

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

/** The document does not say what a page size of 0 means, although it is the default: give one from 1 on. */
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

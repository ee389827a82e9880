// List latest EVM blocks: newest first, one page at a time.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { count, integer, nextPageToken, optional, pageToken, orNone, timestamp, unsigned } from '../fields.ts'
import { evmChainId, pageSize } from './parameters.ts'

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

/** Amounts are in the smallest unit of the chain's own token. */
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

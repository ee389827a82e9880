// Blocks of the chains of the primary network.

import { z } from 'zod'
import {
  chainInfo,
  count,
  integer,
  nextPageToken,
  optional,
  orNone,
  pageToken,
  timestamp,
  unsigned,
  word,
} from '../fields.ts'
import { defineOperation } from '../define.ts'
import { blockchainId, network, pageSize, sinceTimestamp, untilTimestamp } from './parameters.ts'

/** Document 1, PrimaryNetworkBlock. The last four fields exist on the P-Chain only, and live services sometimes leave them out. */
const primaryNetworkBlock = z.object({
  blockNumber: unsigned,
  blockHash: z.string().min(1),
  parentHash: optional(z.string()),
  blockTimestamp: timestamp,
  blockType: optional(word).describe('an open set of names'),
  txCount: count,
  transactions: optional(z.array(z.string())).describe('transaction hashes'),
  blockSizeBytes: optional(count),
  l1ValidatorsAccruedFees: orNone(unsigned),
  activeL1Validators: orNone(count),
  currentSupply: optional(unsigned),
  proposerDetails: optional(
    z.object({
      proposerId: optional(z.string()),
      proposerParentId: optional(z.string()),
      proposerNodeId: optional(z.string()),
      proposerPChainHeight: optional(integer),
      proposerTimestamp: optional(timestamp),
    }),
  ),
})

export type PrimaryNetworkBlock = z.output<typeof primaryNetworkBlock>

/** One block by height or hash. The answer is the block itself, without an envelope. */
export const getPrimaryNetworkBlock = defineOperation({
  name: 'get-primary-network-block',
  source: 'document 1, operation 15',
  via: { get: '/v1/networks/{network}/blockchains/{blockchainId}/blocks/{blockId}' },
  params: z.object({ network, blockchainId, blockId: z.string().min(1).describe('a block height or a block hash') }),
  answer: primaryNetworkBlock,
  notFound: /./,
  cost: 100,
  integers: 'exact',
})

/** Newest first, one page at a time. While new blocks arrive, a block may show up again on the next page. */
export const listLatestPrimaryNetworkBlocks = defineOperation({
  name: 'list-latest-primary-network-blocks',
  source: 'document 1, operation 14',
  via: { get: '/v1/networks/{network}/blockchains/{blockchainId}/blocks' },
  params: z.object({
    network,
    blockchainId,
    startTimestamp: sinceTimestamp,
    endTimestamp: untilTimestamp,
    pageToken,
    pageSize,
  }),
  answer: z.object({ nextPageToken, blocks: z.array(primaryNetworkBlock), chainInfo }),
  items: 'blocks',
  cost: 20,
  integers: 'exact',
})

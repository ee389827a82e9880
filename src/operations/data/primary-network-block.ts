// The block of a primary network chain, as operations 14 and 15 give it.

import { z } from 'zod'
import { count, integer, optional, orNone, timestamp, unsigned, word } from '../fields.ts'

/** Document 1, PrimaryNetworkBlock. The last four fields exist on the P-Chain only, and live services sometimes leave them out. */
export const primaryNetworkBlock = z.object({
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

// The block of a primary network chain, as operations 14 and 15 give it.

import { z } from 'zod'
import { integer, optional, telling, timestamp, unsigned } from '../fields.ts'

/** Document 1, PrimaryNetworkBlock. The last four fields are P-Chain facts that live services leave out at times. */
export const primaryNetworkBlock = z.object({
  blockNumber: unsigned,
  blockHash: z.string().min(1),
  parentHash: optional(z.string()),
  blockTimestamp: timestamp,
  blockType: optional(z.string()).describe('an open set of names'),
  txCount: integer,
  transactions: optional(z.array(z.string())).describe('transaction hashes'),
  blockSizeBytes: optional(integer),
  l1ValidatorsAccruedFees: telling(unsigned),
  activeL1Validators: telling(integer),
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

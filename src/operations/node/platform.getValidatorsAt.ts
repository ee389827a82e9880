// platform.getValidatorsAt: the weights with which consensus counts.

import { z } from 'zod'
import { optional, orNone, uint64, unsigned } from '../fields.ts'
import { defineMethod } from './method.ts'

/**
 * By node id. The empty node id has the weight of all inactive L1 validators. A subnet that the node does not know has
 * no validators. Nodes work out the sets of past heights step by step from the newest one, which may take minutes for old ones.
 */
export const getValidatorsAt = defineMethod({
  name: 'platform.getValidatorsAt',
  params: z.object({
    height: z
      .union([uint64, z.enum(['proposed'])])
      .default('proposed')
      .describe('of the P-Chain; or proposed, the one whose validators would sign the next block'),
    subnetID: z.string().min(1).optional().describe('the subnet; default: the primary network'),
  }),
  // A weight that cannot be read is unknown, and its record stays: a node without a record has none.
  answer: z.record(
    z.string(),
    orNone(
      z.object({
        publicKey: optional(z.string()),
        weight: optional(unsigned).describe('own and delegated stake, or weight'),
      }),
    ),
  ),
  // As many validators as the current ones may be, of up to 200 bytes each.
  maxBytes: 32 * 1024 * 1024,
})

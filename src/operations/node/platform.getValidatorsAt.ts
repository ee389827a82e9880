// platform.getValidatorsAt: the weights with which consensus counts.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { optional, telling, unsigned } from '../fields.ts'

/**
 * By node id. The weight of all inactive L1 validators stands under the empty node id. A subnet that the node does not
 * know has no validators. Nodes take other heights as well, which may take them minutes.
 */
export const getValidatorsAt = defineOperation({
  name: 'platform.getValidatorsAt',
  source: "the node's own interface, P-Chain",
  service: 'node',
  effect: 'read',
  via: { rpc: '/ext/bc/P' },
  params: z.object({
    height: z.enum(['proposed']).default('proposed').describe('the height whose validators would sign the next block'),
    subnetID: z.string().min(1).optional().describe('the subnet; default: the primary network'),
  }),
  // A weight that cannot be read is unknown, and its record stays: a node without a record has none.
  answer: z.record(
    z.string(),
    telling(
      z.object({
        publicKey: optional(z.string()),
        weight: optional(unsigned).describe('own and delegated stake, or weight'),
      }),
    ),
  ),
  cost: 1,
  // As many validators as the current ones may be, of up to 200 bytes each.
  maxBytes: 32 * 1024 * 1024,
})

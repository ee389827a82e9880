// platform.getTotalStake: the weight of all validators of a subnet.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { optional, unsigned } from '../fields.ts'

/** On the primary network it is own and delegated stake. A subnet that the node does not know has 0. */
export const getTotalStake = defineOperation({
  name: 'platform.getTotalStake',
  source: "the node's own interface, P-Chain",
  via: { rpc: '/ext/bc/P' },
  params: z.object({ subnetID: z.string().min(1).optional().describe('the subnet; default: the primary network') }),
  answer: z.object({
    weight: unsigned.describe('inactive L1 validators count as well; on the primary network in the smallest unit'),
    stake: optional(unsigned).describe('the same, by its old name'),
  }),
})

// platform.getTotalStake: the weight of all validators of a subnet.

import { z } from 'zod'
import { optional, unsigned } from '../fields.ts'
import { defineMethod } from './method.ts'

/** On the primary network it is own and delegated stake. A subnet that the node does not know has 0. */
export const getTotalStake = defineMethod({
  name: 'platform.getTotalStake',
  params: z.object({ subnetID: z.string().min(1).optional().describe('the subnet; default: the primary network') }),
  answer: z.object({
    weight: unsigned.describe('inactive L1 validators count as well; on the primary network in the smallest unit'),
    stake: optional(unsigned).describe('the same, by its old name'),
  }),
})

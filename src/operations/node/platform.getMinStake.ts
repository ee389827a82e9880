// platform.getMinStake: the least that a validator and a delegator have to stake.

import { z } from 'zod'
import { unsigned } from '../fields.ts'
import { defineMethod } from './method.ts'

/** A subnet without a staking token of its own has none. */
export const getMinStake = defineMethod({
  name: 'platform.getMinStake',
  params: z.object({ subnetID: z.string().min(1).optional().describe('the subnet; default: the primary network') }),
  answer: z.object({
    minValidatorStake: unsigned.describe('in the smallest unit'),
    minDelegatorStake: unsigned.describe('in the smallest unit'),
  }),
  notFound: /^failed fetching subnet transformation for \w+: not found$/,
  notFoundLasts: true,
})

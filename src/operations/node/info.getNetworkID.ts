// info.getNetworkID: which network the asked node belongs to.

import { z } from 'zod'
import { count } from '../fields.ts'
import { defineMethod } from './method.ts'

export const getNetworkID = defineMethod({
  name: 'info.getNetworkID',
  answer: z.object({ networkID: count.describe('1 is mainnet, 5 is fuji; any other number is a custom network') }),
})

// admin.alias: gives an endpoint of the node a second address.

import { z } from 'zod'
import { defineMethod } from './method.ts'

/** The endpoint keeps its own address. Other nodes do not learn the alias. */
export const alias = defineMethod({
  name: 'admin.alias',
  effect: 'change',
  params: z.object({
    endpoint: z.string().min(1).describe('the part after /ext/ in its address'),
    alias: z
      .string()
      .min(1)
      .max(512, 'expected at most 512 characters')
      .describe('another name for that part; at most 512 characters'),
  }),
  answer: z.object({}),
})

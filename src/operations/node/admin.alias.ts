// admin.alias: gives an endpoint of the node a second address.

import { z } from 'zod'
import { defineOperation } from '../define.ts'

/** The endpoint keeps its own address. Other nodes do not learn the alias. */
export const alias = defineOperation({
  name: 'admin.alias',
  source: 'document 2, Admin interface',
  effect: 'change',
  via: { rpc: '/ext/admin' },
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

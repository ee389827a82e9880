// admin.alias: gives an endpoint of the node a second address.

import { z } from 'zod'
import { defineOperation } from '../define.ts'

/** The endpoint goes on answering at its own address. Other nodes do not hear of the alias. */
export const alias = defineOperation({
  name: 'admin.alias',
  source: 'document 2, Admin interface',
  service: 'node',
  effect: 'change',
  via: { rpc: '/ext/admin' },
  params: z.object({
    endpoint: z.string().min(1).describe('what stands after /ext/ in its address'),
    alias: z
      .string()
      .min(1)
      .max(512, 'expected at most 512 characters')
      .describe('what may stand there as well; at most 512 characters'),
  }),
  answer: z.object({}),
  cost: 1,
})

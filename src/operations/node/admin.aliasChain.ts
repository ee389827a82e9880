// admin.aliasChain: gives a blockchain a second name on the node.

import { z } from 'zod'
import { defineOperation } from '../define.ts'

/** The alias can be used wherever the node takes the blockchain id. Other nodes do not learn it. */
export const aliasChain = defineOperation({
  name: 'admin.aliasChain',
  source: 'document 2, Admin interface',
  effect: 'change',
  via: { rpc: '/ext/admin' },
  params: z.object({
    chain: z.string().min(1).describe('blockchain id'),
    alias: z
      .string()
      .min(1)
      .max(512, 'expected at most 512 characters')
      .describe('its second name; at most 512 characters'),
  }),
  answer: z.object({}),
})

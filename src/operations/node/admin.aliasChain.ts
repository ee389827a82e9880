// admin.aliasChain: gives a blockchain a second name on the node.

import { z } from 'zod'
import { defineMethod } from './method.ts'

/** The alias can be used wherever the node takes the blockchain id. Other nodes do not learn it. */
export const aliasChain = defineMethod({
  name: 'admin.aliasChain',
  effect: 'change',
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

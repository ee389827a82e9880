// info.upgrades: when each upgrade of the network comes into force, as the software of the asked node knows it.

import { z } from 'zod'
import { defineOperation } from '../define.ts'

export const upgrades = defineOperation({
  name: 'info.upgrades',
  source: "the node's own interface, info",
  service: 'node',
  effect: 'read',
  via: { rpc: '/ext/info' },
  params: z.object({}),
  answer: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .describe('by name: those that end in Time are times; one in the year 9999 is not scheduled'),
  cost: 1,
})

// info.upgrades: when each upgrade of the network comes into force, as the software of the asked node knows it.

import { z } from 'zod'
import { defineOperation } from '../define.ts'

/** Members that are no times may have any form. */
function areTimes(members: Readonly<Record<string, unknown>>): boolean {
  const times = Object.entries(members).filter(([name]) => name.endsWith('Time'))
  return times.every(([, time]) => typeof time === 'string' || typeof time === 'number')
}

export const upgrades = defineOperation({
  name: 'info.upgrades',
  source: "the node's own interface, info",
  service: 'node',
  effect: 'read',
  via: { rpc: '/ext/info' },
  params: z.object({}),
  answer: z
    .record(z.string(), z.unknown())
    .refine(areTimes, 'expected a text or a number as each time')
    .describe('by name: those that end in Time are times; one in the year 9999 is not scheduled'),
  cost: 1,
})

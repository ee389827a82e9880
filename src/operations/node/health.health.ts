// health.health: what the asked node thinks of its own health.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { count, optional, telling, timeOrNever } from '../fields.ts'

/** Anything but a number that a double cannot hold, which `JSON.parse` makes infinite. */
const anything: z.ZodType = z.json()

const check = z.object({
  message: optional(anything).describe('details; each check has its own form'),
  error: telling(z.string()).describe('why it fails; absent while it passes'),
  timestamp: timeOrNever.describe('when it was made; Unix time in seconds for us, undefined before its first run'),
  duration: optional(count).describe('nanoseconds that it took'),
  contiguousFailures: telling(count).describe('how often in a row it has failed; absent while it passes'),
  timeOfFirstFailure: telling(timeOrNever).describe('when the first of them was made'),
})

/**
 * As JSON-RPC it comes with status 200 when the node is unhealthy, too; a GET of the same path says 503 then. The node
 * makes its checks every half a minute. All of them wait for a chain whose process is frozen, and say meanwhile what they
 * said before.
 */
export const health = defineOperation({
  name: 'health.health',
  source: "the node's own interface, health",
  service: 'node',
  effect: 'read',
  via: { rpc: '/ext/health' },
  params: z.object({
    tags: z.array(z.string()).optional().describe('only checks of the node itself and of these subnets; default: all'),
  }),
  answer: z.object({
    // One that cannot be read must not take the others away.
    checks: z
      .record(z.string(), optional(check))
      .describe('by name: of parts of the node, and of its chains by alias or id'),
    healthy: z.boolean().describe('whether none of them fails'),
  }),
  cost: 1,
})

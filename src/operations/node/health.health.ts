// health.health: what the asked node thinks of its own health.

import { z } from 'zod'
import { count, optional, orNone, timeOrNever } from '../fields.ts'
import { defineMethod } from './method.ts'

/** Any JSON value. It refuses a number too large for a double, which `JSON.parse` makes infinite. */
const anything: z.ZodType = z.json()

const check = z.object({
  message: optional(anything).describe('details; each check has its own form'),
  error: orNone(z.string()).describe('why it fails; absent while it passes'),
  timestamp: timeOrNever.describe('when it was made; Unix time in seconds for us, undefined before its first run'),
  duration: optional(count).describe('nanoseconds that it took'),
  contiguousFailures: orNone(count).describe('how often in a row it has failed; absent while it passes'),
  timeOfFirstFailure: orNone(timeOrNever).describe('when the first of them was made'),
})

/**
 * JSON-RPC has status 200 even when the node is unhealthy; a GET of the same path has 503 then. The node runs its checks
 * every 30 seconds. When the process of a chain is frozen, all checks wait for it and keep their last results.
 */
export const health = defineMethod({
  name: 'health.health',
  params: z.object({
    tags: z.array(z.string()).optional().describe('only checks of the node itself and of these subnets; default: all'),
  }),
  answer: z.object({
    // An unreadable check must not cost the other checks.
    checks: z
      .record(z.string(), optional(check))
      .describe('by name: of parts of the node, and of its chains by alias or id'),
    healthy: z.boolean().describe('whether none of them fails'),
  }),
})

// The keys that change what counts as a problem: limits of conditions, and how long a problem lasts before its alert fires.

import { z } from 'zod'
import { alertNames } from '../alerts/names.ts'
import { type Limits, readLimit } from '../alerts/limit.ts'
import { type Thresholds, thresholds } from '../alerts/thresholds.ts'
import { duration } from './forms.ts'

/** What was expected instead of a map; a wrong key says itself what it should be. */
const expecting = (text: string) => ({
  error: ({ code }: { code?: string }) => (code === 'invalid_type' ? text : undefined),
})

const LIMITS = 'expected limits by name, such as { peerStake: 0.9 }'
const LIMIT = 'expected a number or a duration, such as 0.9 or 2d'

const NAME = 'expected the name of a limit, as docs/alerting.md lists them'
const names = z.enum(Object.keys(thresholds) as (keyof Thresholds)[], NAME)

/** Seconds, shares of 1, or plain numbers, by the names in alerts/thresholds.ts. */
export const limits = z
  .partialRecord(names, z.union([z.number(LIMIT), z.string(LIMIT)], LIMIT), expecting(LIMITS))
  .transform((given, context) => {
    const read: Record<string, number> = {}
    for (const [name, value] of Object.entries(given)) {
      const limit = readLimit(name as keyof Thresholds, String(value))
      if (typeof limit === 'number') read[name] = limit
      else context.addIssue({ code: 'custom', path: [name], message: `expected ${limit.expected}` })
    }
    return read
  })

const ALERT = 'expected the name of an alert, as docs/alerting.md lists them'

/** By the name of the alert; in milliseconds. */
export const alerts = z.partialRecord(
  z.enum(alertNames, ALERT),
  z.strictObject({ for: duration.describe('how long it must be a problem before the alert fires') }),
  expecting('expected alerts by name, such as { StakewatchWeightChanged: { for: 10m } }'),
)

export const limitsOf = ({ limits: own }: { limits: Limits }): Thresholds => ({ ...thresholds, ...own })

/** Seconds by alert. */
export const waitsOf = ({ alerts: own }: { alerts: z.output<typeof alerts> }): ReadonlyMap<string, number> =>
  new Map(Object.entries(own).flatMap(([alert, one]) => (one ? [[alert, one.for / 1_000] as const] : [])))

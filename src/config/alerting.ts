// The keys that change what counts as a problem: limits of conditions, and how long a problem lasts before its alert fires.

import { z } from 'zod'
import { alertNames } from '../alerts/names.ts'
import { readLimit } from '../alerts/limit.ts'
import { type Thresholds, thresholds } from '../alerts/thresholds.ts'
import { suggestionFor } from '../lib/suggestion.ts'
import { LONGEST_KEY, shown } from './file/places.ts'
import { duration } from './forms.ts'

/** What was expected instead of a map, and which names its keys may have. */
const expecting = (text: string, known: readonly string[]) => ({
  error: ({ code, keys = [] }: { code?: string; keys?: readonly string[] }) =>
    code === 'unrecognized_keys' ? refusal(keys[0]!, known) : text,
})

/** They prove that alerting works, at once. */
const withoutWait = ['StakewatchDrill', 'StakewatchWatchdog'] as const
function refusal(key: string, known: readonly string[]): string {
  if (withoutWait.some((name) => name === key)) return `${key} cannot wait: remove it`
  const meant = key.length > LONGEST_KEY ? undefined : suggestionFor(key, known)
  return `unknown key "${shown(key)}"${meant ? `; did you mean ${meant}?` : ': docs/alerting.md lists the names'}`
}

const LIMITS = 'expected limits by name, such as { peerStake: 0.9 }'
const LIMIT = 'expected a number or a duration, such as 0.9 or 2d'

const names = z.enum(Object.keys(thresholds) as (keyof Thresholds)[])

/** Seconds, shares of 1, or plain numbers, by the names in alerts/thresholds.ts. */
export const limits = z
  .partialRecord(names, z.union([z.number(LIMIT), z.string(LIMIT)], LIMIT), expecting(LIMITS, names.options))
  .transform((given, context) => {
    const read: Record<string, number> = {}
    for (const [name, value] of Object.entries(given)) {
      const limit = readLimit(name as keyof Thresholds, String(value))
      if (typeof limit === 'number') read[name] = limit
      else context.addIssue({ code: 'custom', path: [name], message: `expected ${limit.expected}` })
    }
    return read
  })

const waiting = z.enum(alertNames).exclude(withoutWait)
/** By the name of the alert; in milliseconds. */
export const alerts = z.partialRecord(
  waiting,
  z.strictObject(
    { for: duration.describe('how long it must be a problem before the alert fires') },
    'expected how long its problem must last, such as { for: 10m }',
  ),
  expecting('expected alerts by name, such as { StakewatchWeightChanged: { for: 10m } }', waiting.options),
)

/** Seconds by alert. */
export const waitsOf = ({ alerts: own }: { alerts: z.output<typeof alerts> }): ReadonlyMap<string, number> =>
  new Map(Object.entries(own).flatMap(([alert, one]) => (one ? [[alert, one.for / 1_000] as const] : [])))

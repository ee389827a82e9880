// Holds the alerts that fired against those that somebody has to get.

import type { Rule } from '../../src/alerts/rule.ts'
import type { Fired } from './alerts.ts'
import type { Expected } from './incident.ts'

export interface Verdict {
  missed: readonly string[]
  /** Fired for nothing that happened, or before it happened. */
  false: readonly string[]
}

/** Minutes in which an alert has to fire once it is true. */
const WITHIN: Readonly<Record<Rule['severity'], number>> = { critical: 10, warning: 30, info: 30, none: 0 }

/** Times in minutes after the beginning of the incident. */
export function judge(
  expected: readonly Expected[],
  fired: readonly Fired[],
  severityOf: (alert: string) => Rule['severity'],
): Verdict {
  const wanted = expected.flatMap(({ of = [{}], at = 0, alert, within = WITHIN[severityOf(alert)] }) =>
    of.map((labels) => ({ alert, labels, from: at, until: at + within })),
  )
  type Wanted = (typeof wanted)[number]
  const isThat = (one: Wanted, other: Fired) =>
    one.alert === other.alert && Object.entries(one.labels).every(([name, value]) => other.labels[name] === value)
  const inTime = (one: Wanted, other: Fired) => isThat(one, other) && other.from >= one.from && other.from <= one.until
  return {
    missed: wanted
      .filter((one) => !fired.some((other) => inTime(one, other)))
      .map(({ alert, labels, from, until }) => `${alert} ${JSON.stringify(labels)} in minutes ${from} to ${until}`),
    // An alert that ended and came again is one that came.
    false: fired
      .filter((other) => !wanted.some((one) => isThat(one, other) && other.from >= one.from))
      .map(({ alert, labels, from }) => `${alert} ${JSON.stringify(labels)} in minute ${from}`),
  }
}

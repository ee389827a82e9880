// Holds what the daemon itself shows against what promtool makes of its series.

import { entryOf } from '../../src/lib/entry.ts'
import type { Fired } from './alerts.ts'
import type { Played } from './play.ts'
import { shownKey } from './page-rows.ts'
import { BEFORE } from './stage.ts'

/** Alerts that an instance cannot show about itself, with the reason. */
const needPrometheus: Readonly<Record<string, string>> = {
  StakewatchDown: 'an instance that is down shows nothing',
  StakewatchSchedulerStalled: 'the page says so without an alert',
  StakewatchShardMissing: 'an instance does not see the other shards',
  StakewatchShardDuplicated: 'an instance does not see the other shards',
  StakewatchSeriesMissing: 'it compares with what Prometheus has',
  StakewatchWatchdog: 'it proves that alerts reach their receiver',
  StakewatchDrill: 'it proves that alerts reach their receiver',
}

/** The minutes of the daemon begin at other seconds. */
const SLACK = 2

/**
 * What fires has to be shown, and what is shown as firing has to fire. The minutes of `fired` count from the beginning of the
 * incident.
 */
export function differences({ shown, sampleMinutes }: Played, fired: readonly Fired[]): string[] {
  const byKey = Map.groupBy(
    fired.filter(({ alert }) => !(alert in needPrometheus)),
    ({ alert, labels }) => shownKey(alert, labels),
  )
  const silent = new Map<string, number[]>()
  const loud = new Map<string, number[]>()
  for (const [at, seen] of shown.entries()) {
    if (!seen) continue
    const minute = at * sampleMinutes - BEFORE
    for (const [key, times] of byKey) {
      const isFiring = times.some(({ from, until }) => minute >= from + SLACK && minute < until)
      if (isFiring && !seen.has(key)) entryOf(silent, key, () => []).push(minute)
    }
    for (const [key, isFiring] of seen) {
      const times = byKey.get(key) ?? []
      const mayFire = times.some(({ from, until }) => minute >= from - SLACK && minute <= until + SLACK)
      if (isFiring && !mayFire) entryOf(loud, key, () => []).push(minute)
    }
  }
  const said = (all: ReadonlyMap<string, readonly number[]>, what: string) =>
    Array.from(all, ([key, minutes]) => `the status ${what} ${key} in ${minutes.length} minutes from ${minutes[0]}`)
  return [...said(silent, 'does not show'), ...said(loud, 'shows as firing')]
}

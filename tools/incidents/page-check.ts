// Holds what the daemon itself shows against what promtool makes of its series: the status has to show what fires.

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

/**
 * What fires has to be shown until the minute before it ends, and from two minutes after it begins: the minutes of the daemon
 * begin at other seconds. The minutes of `fired` count from the beginning of the incident.
 */
export function differences({ shown, sampleMinutes }: Played, fired: readonly Fired[]): string[] {
  return fired.flatMap(({ alert, labels, from, until }) => {
    if (alert in needPrometheus) return []
    const key = shownKey(alert, labels)
    const silent = shown.flatMap((seen, at) => {
      const minute = at * sampleMinutes - BEFORE
      return seen && minute > from + 1 && minute < until && !seen.has(key) ? minute : []
    })
    return silent.length === 0 ? [] : [`the status does not show ${key} in ${silent.length} minutes from ${silent[0]}`]
  })
}

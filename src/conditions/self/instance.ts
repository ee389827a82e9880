// What goes wrong inside of one instance of stakewatch.

import { type Condition, NOT_APPLICABLE, OK, problem } from '../condition.ts'
import { ifKnown, TEXT } from '../details.ts'
import { HOUR, MINUTE } from '../../lib/seconds.ts'
import { growth } from '../track.ts'
import type { Remembered, View } from '../view.ts'

const DROPPED = 'stakewatch_series_dropped_total'
const CONFIG = 'stakewatch_config_last_reload_successful'
const WEB_CONFIG = 'stakewatch_web_config_last_reload_successful'
const STORAGE = 'stakewatch_storage_up'

/** Hourly collectors drop series once an hour. */
const dropped: Remembered = {
  name: 'series_dropped',
  of: 'instance',
  for: 2 * HOUR,
  read: (view) => view.value(DROPPED),
}

export const seriesDropped: Condition = {
  alert: 'StakewatchSeriesDropped',
  panel: 'self: What was left out',
  severity: 'warning',
  for: 0,
  reads: [DROPPED, dropped],
  judge: {
    instance(view) {
      const count = growth(view.track(dropped), view.now, dropped.for)
      return count !== undefined && count > 0 ? problem(count) : OK
    },
  },
  title: 'stakewatch drops series',
  summary: 'stakewatch is dropping series.',
  action: 'Raise `max_series` of the collector that the log names, or watch less.',
  description:
    'A collector of stakewatch on {{ $labels.instance }} has more series than max_series allows, or has one of them twice. Part of what it watches is missing from the metrics.',
}

export const configReloadFailed: Condition = {
  alert: 'StakewatchConfigReloadFailed',
  panel: 'self: Instances of stakewatch',
  severity: 'warning',
  // Leaves time to fix a typo.
  for: 5 * MINUTE,
  reads: [CONFIG, WEB_CONFIG],
  judge: {
    instance: (view) => (view.value(CONFIG) === 0 || view.value(WEB_CONFIG) === 0 ? problem(0) : OK),
  },
  title: 'stakewatch refused its settings',
  summary: 'stakewatch rejected its configuration and keeps the previous one.',
  action: 'Run `stakewatch check` on the machine, and correct the file.',
  description:
    'stakewatch on {{ $labels.instance }} rejected its changed configuration or web configuration. It still runs with the previous one, but would not start with the new one. Run stakewatch check, or read its log, for the errors.',
}

const FAILURES = 'stakewatch_storage_failures_total'

/** The reason that keeps it from saving is tried every few seconds, and soon the most frequent one. */
function mostFrequentReason(instance: View): string | undefined {
  const failures = instance.all(FAILURES).filter(({ value }) => value > 0)
  return failures.toSorted((a, b) => b.value - a.value)[0]?.labels['reason']
}

export const storageFailing: Condition = {
  alert: 'StakewatchStorageFailing',
  panel: 'self: Configuration and storage',
  severity: 'warning',
  for: 5 * MINUTE,
  reads: [STORAGE],
  judge: {
    instance(view) {
      if (!view.has(STORAGE)) return NOT_APPLICABLE
      return view.value(STORAGE) === 0 ? problem(0) : OK
    },
  },
  title: 'stakewatch cannot save counters',
  summary: 'stakewatch cannot save its counters: a restart would lose them.',
  action: 'Make room in the folder of --storage.path, or mend its mount or permissions; do not restart.',
  description: `stakewatch on {{ $labels.instance }} cannot use the folder of --storage.path.${ifKnown('reason', ` Most of its failures since it started: ${TEXT}.`)} It keeps counting in memory; if it restarts before you fix the folder, its counters fall back to the last saved values.`,
  details: { reads: [FAILURES], of: (instance) => ({ reason: mostFrequentReason(instance) }) },
}

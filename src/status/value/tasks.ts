// The planned tasks and the results of their last runs.

import { ofRun, ofRuns } from './metric-names.ts'
import { type Alerted, groupReadings } from './readings.ts'
import type { TaskRow } from './status-schema.ts'

const results: readonly TaskRow['result'][] = ['failure', null, 'unsupported', 'success']

/** What failed comes first. */
export function tasksOf({ tasks, rows, readings, alerts }: Alerted): TaskRow[] {
  const readingsOf = groupReadings(readings, Object.values(ofRun), ['network', 'collector', 'source', 'target'])
  const totalsOf = groupReadings(readings, Object.values(ofRuns), ['network', 'collector', 'source'])
  const ended = new Map(rows.map((row) => [row.key, row]))
  const all = tasks.map((task): TaskRow => {
    const { network, collector, subject, labels, settings } = task
    const row = ended.get(task.key)
    const source = labels['source'] ?? null
    const own = readingsOf(network.name, collector.name, source ?? '', subject.name)
    const total = totalsOf(network.name, collector.name, source ?? '')
    const duration = row ? row.took / 1_000 : null
    const interval = own.value(ofRun.interval) ?? settings.every / 1_000
    const finished = row ? row.finishedAt / 1_000 : null
    return {
      network: network.name,
      collector: collector.name,
      target: subject.name,
      source,
      result: row?.result ?? null,
      reason: row?.reason ?? '',
      answered_by: row?.source ?? '',
      last_run_timestamp_seconds: finished,
      last_success_timestamp_seconds: own.value(ofRun.lastSuccess),
      duration_seconds: duration,
      interval_seconds: interval,
      next_run_timestamp_seconds: finished === null || duration === null ? null : finished - duration + interval,
      ttl_seconds: total.value(ofRuns.ttl) ?? settings.ttl / 1_000,
      series: row?.series ?? null,
      alerts: alerts(network.name, 'collector', {
        collector: collector.name,
        target: subject.name,
        ...(source !== null && { source }),
      }),
    }
  })
  return all.toSorted((a, b) => results.indexOf(a.result) - results.indexOf(b.result))
}

// The storage about itself.

import { ofDaemon, type Sample } from '../metrics/define.ts'
import { type Failure, failures } from './messages.ts'

const up = ofDaemon.gauge('stakewatch_storage_up', {
  help: 'Whether counters are kept in the folder of --storage.path (1) or in memory alone (0); absent without that flag.',
  details: 'Counters kept in memory alone are lost when the process ends.',
})
const lastCommit = ofDaemon.gauge('stakewatch_storage_last_commit_timestamp_seconds', {
  help: 'When the storage was last written; only changes are written.',
})
const failed = ofDaemon.counter('stakewatch_storage_failures_total', {
  help: 'Failures to open, read or write the storage, by reason.',
  labels: ['reason'],
})

export const storageMetrics = [up, lastCommit, failed]

export interface StorageState {
  isUp: boolean
  /** Milliseconds since the epoch; undefined before the first. */
  lastCommit: number | undefined
  failures: Record<Failure, number>
}

export const noFailures = () =>
  Object.fromEntries(Object.keys(failures).map((reason) => [reason, 0])) as Record<Failure, number>

export function storageSamples(state: StorageState): Sample[] {
  return [
    up.sample({}, state.isUp),
    ...lastCommit.ifKnown({}, state.lastCommit && state.lastCommit / 1_000),
    ...Object.entries(state.failures).map(([reason, count]) => failed.sample({ reason }, count)),
  ]
}

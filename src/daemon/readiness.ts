// The answers of /-/ready and /-/healthy.

import type { Moment } from '../lib/clock.ts'
import { type Shard, shardText } from '../lib/shard.ts'
import type { Snapshot } from '../metrics/snapshot.ts'
import type { Health } from '../server/routes.ts'

interface InstanceState {
  shard: Shard
  isStopping: boolean
  /** Whether no part of the configuration belongs to this shard. */
  isIdle: boolean
}

export function readinessOf(
  snapshot: Pick<Snapshot, 'isStalled' | 'progress' | 'isSettled'>,
  now: Moment,
  { shard, isStopping, isIdle }: InstanceState,
): Health {
  if (isStopping) return { isOk: false, text: 'stakewatch is stopping.' }
  if (snapshot.isStalled(now)) return { isOk: false, text: 'The scheduler has stalled.' }
  const progress = snapshot.progress(now)
  const lines = progress.map(
    ({ network, planned, attempted, withData }) =>
      `${network}: ${attempted} of ${planned} tasks attempted, ${withData} have data`,
  )
  const isAttempted = snapshot.isSettled(now)
  if (isAttempted && progress.some(({ withData }) => withData > 0)) {
    return { isOk: true, text: ['stakewatch is ready.', ...lines].join('\n') }
  }
  if (isIdle) return { isOk: true, text: `stakewatch is ready: nothing falls to shard ${shardText(shard)}.` }
  const why = isAttempted ? 'no network has data' : 'some tasks have not been attempted yet'
  return { isOk: false, text: [`stakewatch is not ready: ${why}.`, ...lines].join('\n') }
}

export function healthOf(isStalled: boolean): Health {
  return isStalled
    ? { isOk: false, text: 'The scheduler has stalled: nothing is polled.' }
    : { isOk: true, text: 'stakewatch is healthy.' }
}

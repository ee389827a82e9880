// The status at this moment, from the snapshot and the configuration.

import { collectors } from '../collectors/index.ts'
import type { Config } from '../config/schema.ts'
import { ageOf, type Clock, type Moment } from '../lib/clock.ts'
import { type Shard, UNDIVIDED } from '../lib/shard.ts'
import type { Snapshot } from '../metrics/snapshot.ts'
import { upstreams } from '../scheduler/plan.ts'
import { ownConfig, planOf } from '../scheduler/shard.ts'
import type { Source } from '../upstream/source.ts'
import { metricNames } from './metrics.ts'
import { createReader } from './readings.ts'
import type { Status } from './schema.ts'
import { statusOf } from './status.ts'

export interface LiveOptions {
  /** The one in force. */
  config: () => Config
  /** What of it is polled here. */
  shard: Shard
  snapshot: Pick<Snapshot, 'body' | 'status' | 'errors' | 'isStalled' | 'withdrawals'>
  version: string
  isSimulated: boolean
  /** Of the daemon (Unix time). */
  startedAt: number
  clock: Pick<Clock, 'now'>
}

/** However many look at it, it is put together at most this often (milliseconds), and again when anything was withdrawn. */
const REBUILD_AFTER = 1_000

export function liveStatus({
  config,
  shard,
  snapshot,
  version,
  isSimulated,
  startedAt,
  clock,
}: LiveOptions): () => Status {
  const read = createReader()
  let planned = plannedOf(config(), shard)
  let ready: { status: Status; builtAt: Moment; withdrawals: number } | undefined

  function isTrue({ status, builtAt, withdrawals }: NonNullable<typeof ready>, now: Moment): boolean {
    return (
      ageOf(builtAt, now) < REBUILD_AFTER &&
      planned.whole === config() &&
      status.scheduler_stalled === snapshot.isStalled(now) &&
      withdrawals === snapshot.withdrawals(now)
    )
  }

  return () => {
    const now = clock.now()
    if (ready && isTrue(ready, now)) return ready.status
    if (planned.whole !== config()) planned = plannedOf(config(), shard)
    const status = statusOf({
      ...planned,
      shard,
      version,
      isSimulated,
      readings: read(snapshot.body('text', now, metricNames)),
      rows: snapshot.status(),
      errors: snapshot.errors(),
      isStalled: snapshot.isStalled(now),
      now: now.wall / 1_000,
      startedAt,
    })
    ready = { status, builtAt: now, withdrawals: snapshot.withdrawals(now) }
    return status
  }
}

function plannedOf(whole: Config, shard: Shard) {
  const tasks = planOf(whole, collectors, shard)
  const isAsked = ({ network, name }: Source) =>
    tasks.some(({ sources }) => sources.some((one) => one.network === network && one.name === name))
  const all = whole.networks.flatMap(upstreams)
  // Another shard may ask the rest.
  const sources = shard.shards === UNDIVIDED.shards ? all : all.filter(isAsked)
  return { whole, config: ownConfig(whole, shard), tasks, sources }
}

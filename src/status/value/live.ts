// The current status, from the snapshot and the configuration.

import { collectors } from '../../collectors/index.ts'
import type { Config } from '../../config/schema.ts'
import { ageOf, type Clock, type Moment } from '../../lib/clock.ts'
import { type Shard, UNDIVIDED } from '../../lib/shard.ts'
import type { Snapshot } from '../../metrics/snapshot.ts'
import { sourcesOfNetwork } from '../../scheduler/plan.ts'
import { ownConfig, planOf } from '../../scheduler/shard.ts'
import type { Source } from '../../upstream/source.ts'
import type { Readings } from '../../metrics/read-exposition.ts'
import { finish, type Steps } from '../../lib/steps.ts'
import type { Watch } from '../../firing/evaluate-rules.ts'
import { metricNames } from './metric-names.ts'
import type { Rules } from './alerts.ts'
import type { Status } from './status-schema.ts'
import { statusOf } from './status.ts'

export interface LiveOptions {
  config: () => Config
  shard: Shard
  snapshot: Pick<Snapshot, 'status' | 'errors' | 'isStalled' | 'withdrawals'>
  /** These metrics as a scrape would return them. */
  read: (now: Moment, metrics: ReadonlySet<string>) => Steps<Readings>
  /** The rules; undefined before their first evaluation. */
  watch: () => Pick<Watch, 'evaluated'> | undefined
  version: string
  isSimulated: boolean
  clock: Pick<Clock, 'now'>
}

/** Milliseconds between rebuilds, however many requests there are; a withdrawal of data rebuilds at once. */
const REBUILD_AFTER = 1_000

export function liveStatus(options: LiveOptions): () => Status {
  const { config, shard, snapshot, read, watch, version, isSimulated, clock } = options
  let planned = plannedOf(config(), shard)
  let ready: { status: Status; rules: Rules; builtAt: Moment; withdrawals: number } | undefined

  function isFresh({ status, rules, builtAt, withdrawals }: NonNullable<typeof ready>, now: Moment): boolean {
    const newest = watch()?.evaluated()
    return (
      newest?.at === rules?.at &&
      newest?.isCurrent === rules?.isCurrent &&
      ageOf(builtAt, now) < REBUILD_AFTER &&
      planned.whole === config() &&
      status.scheduler_stalled === snapshot.isStalled(now) &&
      withdrawals === snapshot.withdrawals(now)
    )
  }

  return () => {
    const now = clock.now()
    if (ready && isFresh(ready, now)) return ready.status
    if (planned.whole !== config()) planned = plannedOf(config(), shard)
    const rules = watch()?.evaluated()
    const status = statusOf({
      ...planned,
      shard,
      version,
      isSimulated,
      readings: finish(read(now, metricNames)),
      rules,
      rows: snapshot.status(),
      errors: snapshot.errors(),
      isStalled: snapshot.isStalled(now),
      now: now.wall / 1_000,
    })
    ready = { status, rules, builtAt: now, withdrawals: snapshot.withdrawals(now) }
    return status
  }
}

function plannedOf(whole: Config, shard: Shard) {
  const tasks = planOf(whole, collectors, shard)
  const isAsked = ({ network, name }: Source) =>
    tasks.some(({ sources }) => sources.some((one) => one.network === network && one.name === name))
  const all = whole.networks.flatMap(sourcesOfNetwork)
  // Other shards may poll the remaining upstreams.
  const sources = shard.shards === UNDIVIDED.shards ? all : all.filter(isAsked)
  return { whole, config: ownConfig(whole, shard), tasks, sources }
}

// The current status, from the snapshot and the configuration.

import { collectors } from '../../collectors/index.ts'
import type { Config } from '../../config/schema.ts'
import { ageOf, type Clock, type Moment } from '../../lib/clock.ts'
import { type Shard, UNDIVIDED } from '../../lib/shard.ts'
import type { Snapshot } from '../../metrics/snapshot.ts'
import { sourcesOfNetwork } from '../../scheduler/plan.ts'
import { ownConfig, planOf } from '../../scheduler/shard.ts'
import type { Source } from '../../upstream/source.ts'
import { metricNames } from './metric-names.ts'
import type { Input, Judged, Readings, TurnsOf } from './readings.ts'
import type { Status } from './status-schema.ts'
import { alertsAbout, alertsOf, attentionFirst, rulesOf } from './alerts.ts'
import { inMaintenance, maintenanceOf } from './maintenance.ts'
import { tasksOf } from './tasks.ts'
import { upstreamsOf } from './upstreams.ts'
import { secondsLeft, validatorsOf } from './validators.ts'
import { watchedOf } from './watched.ts'

export interface LiveOptions {
  config: () => Config
  shard: Shard
  snapshot: Pick<Snapshot, 'status' | 'errors' | 'isStalled' | 'withdrawals'>
  /** The current samples of these metrics. */
  readings: (metrics: ReadonlySet<string>) => Readings
  /** The last round of the judge; undefined before the first one. */
  judged: () => Judged | undefined
  instance: () => string
  turnsOf: TurnsOf
  version: string
  isSimulated: boolean
  clock: Pick<Clock, 'now'>
}

/** Rounds of the judge follow each other within seconds: later than this the state of alerts is unknown (milliseconds). */
const CURRENT = 120_000
/** Milliseconds between rebuilds, however many requests there are. */
const REBUILD_AFTER = 1_000

/** The value that `make` gives, made again when it is older than `after` milliseconds, or when any part of its state has changed. */
export function rebuilt<Value>(
  clock: LiveOptions['clock'],
  after: number,
  stateAt: (now: Moment) => readonly unknown[],
  make: (now: Moment) => Value,
): () => Value {
  let ready: { value: Value; state: readonly unknown[]; builtAt: Moment } | undefined
  return () => {
    const now = clock.now()
    const state = stateAt(now)
    const isSame = ready?.state.every((one, at) => one === state[at])
    if (!ready || !isSame || ageOf(ready.builtAt, now) >= after) ready = { value: make(now), state, builtAt: now }
    return ready.value
  }
}

export function liveStatus(options: LiveOptions): () => Status {
  const { config, shard, snapshot, readings, judged, turnsOf, instance, version, isSimulated, clock } = options
  let planned = plannedOf(config(), shard)
  const stateAt = (now: Moment) => [judged(), config(), snapshot.isStalled(now), snapshot.withdrawals(now)]
  return rebuilt(clock, REBUILD_AFTER, stateAt, (now) => {
    if (planned.whole !== config()) planned = plannedOf(config(), shard)
    const round = judged()
    const isStalled = snapshot.isStalled(now)
    return statusOf({
      ...planned,
      shard,
      version,
      isSimulated,
      // After a stall nothing is known that was polled.
      readings: isStalled ? new Map() : readings(metricNames),
      judged: round && { ...round, isCurrent: ageOf(round.at, now) < CURRENT && !isStalled },
      instance: instance(),
      turnsOf,
      rows: snapshot.status(),
      errors: snapshot.errors(),
      isStalled,
      now: now.wall / 1_000,
    })
  })
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

/** In each list, what needs attention comes first, the rest in the order of the configuration. */
function statusOf(input: Input): Status {
  const alerts = alertsOf(input)
  const alerted = { ...input, alerts: alertsAbout(alerts), maintenance: inMaintenance(input.readings) }
  return {
    version: input.version,
    timestamp_seconds: input.now,
    simulated: input.isSimulated,
    shard: input.shard,
    scheduler_stalled: input.isStalled,
    rules: rulesOf(input),
    alerts,
    maintenance: maintenanceOf(input),
    validators: attentionFirst(validatorsOf(alerted), (one) => secondsLeft(one, input.now)),
    ...watchedOf(alerted),
    upstreams: attentionFirst(upstreamsOf(alerted)),
    tasks: attentionFirst(tasksOf(alerted)),
  }
}

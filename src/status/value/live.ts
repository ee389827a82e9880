// The current status, from the snapshot and the configuration; with the planned tasks and the configured upstreams.

import type { Readings } from '../../conditions/board.ts'
import { collectors } from '../../collectors/index.ts'
import type { Config } from '../../config/schema.ts'
import { calendarOf } from '../../lib/calendar.ts'
import { ageOf, type Clock, type Moment } from '../../lib/clock.ts'
import { type Shard, UNDIVIDED } from '../../lib/shard.ts'
import type { Snapshot } from '../../metrics/snapshot.ts'
import { sourcesOfNetwork, type Task } from '../../scheduler/plan.ts'
import { ownConfig, planOf } from '../../scheduler/shard.ts'
import type { Source } from '../../upstream/source.ts'
import { metricNames, ofRun, ofUpstream } from './metric-names.ts'
import {
  type Alerted,
  groupReadings,
  type Input,
  type Judged,
  keyOf,
  type OwnReadings,
  type TurnsOf,
  type VotesOf,
} from './readings.ts'
import type { Status, TaskRow, Upstream } from './status-schema.ts'
import { alertsAbout, alertsOf, attentionFirst, evaluationOf } from './alerts.ts'
import { inMaintenance, maintenanceOf } from './maintenance.ts'
import { secondsLeft, validatorsOf } from './validators.ts'
import { watchedOf } from './watched.ts'
import type { UpstreamError } from '../../metrics/publication.ts'

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
  /** As the last round of the judge counted them. */
  votes: () => VotesOf
  version: string
  isSimulated: boolean
  clock: Pick<Clock, 'now'>
}

/** After a stall nothing is known that was polled. */
const NO_VOTES = { connected: undefined, budget: undefined, isRewardLost: false }
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
  const { config, shard, snapshot, readings, judged, turnsOf, votes, instance, version, isSimulated, clock } = options
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
      votesOf: isStalled ? () => NO_VOTES : votes(),
      rows: snapshot.status(),
      errors: snapshot.errors(),
      isStalled,
      now: (now.wall - (round?.ahead ?? 0)) / 1_000,
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
    rules: evaluationOf(input),
    alerts,
    maintenance: maintenanceOf(input),
    validators: attentionFirst(validatorsOf(alerted), (one) => secondsLeft(one, input.now)),
    ...watchedOf(alerted),
    upstreams: attentionFirst(upstreamsOf(alerted)),
    tasks: attentionFirst(tasksOf(alerted)),
  }
}

const results: readonly TaskRow['result'][] = ['failure', null, 'unsupported', 'success']

/** What failed comes first. */
function tasksOf({ tasks, rows, readings, alerts, now }: Alerted): TaskRow[] {
  const readingsOf = groupReadings(readings, Object.values(ofRun), ['network', 'collector', 'source', 'target'])
  const ended = new Map(rows.map((row) => [row.key, row]))
  const all = tasks.map((task): TaskRow => {
    const { network, collector, subject, labels, settings } = task
    const row = ended.get(task.key)
    const source = labels['source'] ?? null
    const own = readingsOf(network.name, collector.name, source ?? '', subject.name)
    const duration = row ? row.took / 1_000 : null
    const planned = settings.every / 1_000
    const interval = own.value(ofRun.interval) ?? planned
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
      schedule: settings.schedule?.pattern ?? null,
      next_run_timestamp_seconds:
        finished === null || duration === null ? null : nextOf(settings, now, finished - duration + interval),
      // A budget that is too small stretches both alike.
      ttl_seconds: (settings.ttl / 1_000) * (interval / planned),
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

/** In seconds. */
function nextOf({ schedule }: Task['settings'], now: number, otherwise: number): number | null {
  if (!schedule) return otherwise
  const next = calendarOf(schedule.pattern, schedule.timezone)?.after(now * 1_000)
  return next === undefined ? null : next / 1_000
}

function upstreamsOf({ sources, readings, errors, alerts, maintenance }: Alerted): Upstream[] {
  const readingsOf = groupReadings(readings, Object.values(ofUpstream), ['network', 'source'])
  const lastErrors = new Map(errors.map((error) => [keyOf(error.network, error.source), error]))
  return sources.map((source) => {
    const { network, name } = source
    const upstream = upstreamOf(source, readingsOf(network, name), lastErrors.get(keyOf(network, name)))
    const { node_id: id } = upstream
    return {
      ...upstream,
      maintenance: maintenance('node', network, name) ?? (id === null ? null : maintenance('machine', network, id)),
      alerts: alerts(network, 'source', { source: name }),
    }
  })
}

function upstreamOf(
  { network, name, service, url }: Source,
  own: OwnReadings,
  error: UpstreamError | undefined,
): Omit<Upstream, 'alerts' | 'maintenance'> {
  const node = own.all(ofUpstream.node)[0]?.labels
  const open = own.all(ofUpstream.circuitOpen).filter(({ value }) => value === 1)
  return {
    network,
    source: name,
    service,
    host: String(url),
    node_id: node?.['id'] ?? null,
    version: node?.['version'] ?? null,
    up: own.flag(ofUpstream.up),
    refusing: own.flag(ofUpstream.refusing),
    circuit_open: own.flag(ofUpstream.circuitOpen, 'operation', ''),
    open_operations: open.flatMap(({ labels: { operation = '' } }) => (operation === '' ? [] : [operation])),
    budgets: own.all(ofUpstream.budget).flatMap(({ labels: { window = '' }, value: units }) => {
      const remaining = own.value(ofUpstream.remaining, 'window', window)
      return remaining === null ? [] : [{ window, units, remaining_units: remaining }]
    }),
    last_error: error
      ? { code: error.code, text: error.reason, operation: error.operation, timestamp_seconds: error.at / 1_000 }
      : null,
  }
}

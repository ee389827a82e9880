// Takes the samples of what is published, has the conditions judge them, and publishes the verdicts. The page reads both here.

import { setImmediate } from 'node:timers/promises'
import { createVerdictAlerts } from '../alerts/verdict-alerts.ts'
import { type Board, createBoard, currentSeries, keyOf } from '../conditions/board.ts'
import { connectedDay, connectedShare, l1ConnectedShare } from '../conditions/validators/connections.ts'
import { isRewardLost, medianBudget } from '../conditions/validator-votes.ts'
import { type View, viewOf } from '../conditions/view.ts'
import { conditions } from '../conditions/index.ts'
import { createJudge, type Judge, metricsReadBy, type Verdicts } from '../conditions/judge.ts'
import { conditionSamples, valuesOf } from '../conditions/published.ts'
import { type Asked, turnsWeek, weeksOf } from '../conditions/turns-week.ts'
import { limitsOf } from '../alerts/limit.ts'
import { type Thresholds, thresholds } from '../alerts/thresholds.ts'
import { waitsOf } from '../config/alerting.ts'
import type { Config } from '../config/schema.ts'
import { type Clock, type Moment, NEVER } from '../lib/clock.ts'
import type { Labels } from '../lib/label-text.ts'
import type { Records } from '../lib/records.ts'
import type { Logger } from '../logger.ts'
import type { Sample } from '../metrics/define.ts'
import { renderFamilies } from '../metrics/exposition.ts'
import type { Change } from '../metrics/publication.ts'
import { createInbox } from './judge-inbox.ts'
import { keepMemory } from './judge-memory.ts'
import type { Judged, ValidatorVotes, VotesOf } from '../status/value/readings.ts'
import { checkedMetricNames, metricNames } from '../status/value/metric-names.ts'

/** From one round to the next, if rounds are quick (milliseconds). A change waits for it before it is a metric. */
export const INTERVAL = 10_000
/** Oftener after the start: the first answers come within it (milliseconds). */
const [AT_FIRST, START] = [2_000, 30_000]
/** The largest share of time that rounds may take. */
const SHARE = 0.05
/** A round rests after so much work (milliseconds). */
const SLICE = 15
const UNIT = 'verdicts'
/** What is kept of what is published: for the judge, for the pages, and for `check --live`. */
const kept: ReadonlySet<string> = new Set([...metricsReadBy(conditions), ...metricNames, ...checkedMetricNames])

export type Judging = ReturnType<typeof createJudging>

export const isKept = (metric: string) => kept.has(metric)

type ValidatorKey = Readonly<Record<'network' | 'subnet' | 'node_id', string>>

const votesOn = (view: View): ValidatorVotes => ({
  connected: view.fact(connectedShare) ?? view.fact(l1ConnectedShare),
  budget: medianBudget(view),
  isRewardLost: isRewardLost(view),
})
const NO_VOTES: ValidatorVotes = { connected: undefined, budget: undefined, isRewardLost: false }

/** `lastRound`: its time (seconds) and limits; undefined before the first one. */
const forPages = (judge: Judge, board: Board, lastRound: () => { now: number; limits: Thresholds } | undefined) => ({
  /** What the nodes that vote say of validators, as conditions count them. */
  votes(): VotesOf {
    const last = lastRound()
    const round = last && judge.round(board, last.now, last.limits)
    return (of) => {
      const thing = board.thing('validator', of)
      return round && thing ? votesOn(viewOf(round, thing)) : NO_VOTES
    }
  },
  /** For which share of its votes a validator was connected, over the last day. */
  connectedDay: (of: ValidatorKey) => judge.track(connectedDay, keyOf('validator', of)),
  /** What became of the turns of a validator within the last week. */
  turnsOf: (of: ValidatorKey, asked: Asked) =>
    weeksOf((part) => judge.track(turnsWeek, keyOf('validator', of), part), asked),
})

type Alerting = Pick<Config, 'limits' | 'alerts' | 'networks'>

/** `ahead`: how far our clock is ahead of the upstreams, by which samples have their times (milliseconds). */
const roundOf = (now: Moment, config: Alerting, ahead: number) =>
  [(now.wall - ahead) / 1_000, limitsOf(config), waitsOf(config), now.steady / 1_000] as const

interface Options {
  clock: Pick<Clock, 'now'>
  log: Logger
}

export function createJudging({ clock, log }: Options) {
  const board = createBoard()
  const inbox = createInbox(board)
  const judge = createJudge(conditions, [connectedDay, turnsWeek])
  const alerts = createVerdictAlerts()
  let last: Judged | undefined
  let limits: Thresholds = thresholds
  let dueAt = -Infinity
  const began = clock.now().steady
  let memory: ReturnType<typeof keepMemory> | undefined
  let toRepeat: Labels[] = []

  function pronounce(now: Moment, config: Alerting, ahead: number, verdicts: Verdicts): Change {
    memory?.save(now, ahead)
    toRepeat = [...verdicts.toRepeat]
    const values = valuesOf(verdicts.judged)
    // In the time of the judge: `for` is not over because our clock was set.
    alerts.take((name) => values.get(name) ?? [], now.wall - ahead, { waits: waitsOf(config) })
    const problems = Array.from(verdicts.failed, ([{ alert }, problem]) => ({ rule: alert, problem }))
    tellChanges(log, last?.problems ?? [], problems)
    last = { at: now, ahead, alerting: alerts.alerting(), problems }
    limits = limitsOf(config)
    const samples = conditionSamples(verdicts)
    const families = renderFamilies(samples)
    const interval = now.steady - began < START ? AT_FIRST : INTERVAL
    dueAt = now.steady + Math.max(interval, (clock.now().steady - now.steady) / SHARE)
    return { kind: 'publish', key: UNIT, families, samples, expiresAt: NEVER }
  }

  return {
    /** Goes on from what the store has, and keeps there what is remembered. */
    resume: (store: Records | undefined) => void (memory = keepMemory(judge, store, [connectedDay.name])),
    /** Takes over the samples of a change. */
    take(change: Change): void {
      if (change.kind === 'drop') {
        for (const key of change.keys) inbox.put({ key, series: [], expiresAt: NEVER })
        return
      }
      const { key, samples = [], expiresAt } = change
      inbox.put({ key, series: keptOf(samples), expiresAt })
    },
    isDue: (now: Moment) => now.steady >= dueAt,
    /** Judges at once. */
    verdicts(now: Moment, config: Alerting, ahead: number): Change {
      memory?.follow(config.networks)
      inbox.open(now)
      return pronounce(now, config, ahead, judge.judge(board, ...roundOf(now, config, ahead)))
    },
    /** Judges in slices, so that no scrape waits for it; undefined if a round that could not wait came in between. */
    async verdictsInSlices(now: Moment, config: Alerting, ahead: number): Promise<Change | undefined> {
      memory?.follow(config.networks)
      inbox.open(now)
      dueAt = Infinity
      const steps = judge.steps(board, ...roundOf(now, config, ahead))
      let began = clock.now().steady
      let step = steps.next()
      for (; !step.done; step = steps.next()) {
        if (clock.now().steady - began < SLICE) continue
        const isStill = inbox.rest()
        await setImmediate()
        if (!isStill()) return undefined
        began = clock.now().steady
      }
      inbox.open(now)
      return pronounce(now, config, ahead, step.value)
    },
    /** What the last round found; undefined before the first one. */
    last: () => last,
    /** The current samples of these metrics, among those that are kept. */
    readings(metrics: ReadonlySet<string> = kept) {
      inbox.forgetExpired(clock.now())
      return board.readings(metrics)
    },
    /** The labels of the runs that should be repeated, once after each round of verdicts. */
    takeRepeats: (): readonly Labels[] => toRepeat.splice(0),
    ...forPages(judge, board, () => last && { now: (last.at.wall - last.ahead) / 1_000, limits }),
    /** Saves what the conditions remember, before the storage is closed. */
    end: () => memory?.save(clock.now(), last?.ahead ?? 0, true),
  }
}

const keptOf = (samples: readonly Sample[]) => currentSeries(samples.filter(({ metric }) => isKept(metric.name)))

/** Reports that a condition can no longer be judged, or can be judged again. */
function tellChanges(log: Logger, before: Judged['problems'], now: Judged['problems']): void {
  const isIn = (some: Judged['problems'], { rule, problem }: Judged['problems'][number]) =>
    some.some((one) => one.rule === rule && one.problem === problem)
  for (const one of now) {
    const { rule, problem } = one
    if (!isIn(before, one)) log.warn({ rule, problem }, 'a condition cannot be judged: its alerts keep their state')
  }
  for (const { rule } of before) {
    if (!now.some((one) => one.rule === rule)) log.info({ rule }, 'the condition can be judged again')
  }
}

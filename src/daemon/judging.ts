// Takes the samples of what is published, has the conditions judge them, and publishes the verdicts. The page reads both here.

import { createVerdictAlerts } from '../alerts/verdict-alerts.ts'
import { createBoard, type Reading } from '../conditions/board.ts'
import { conditions, judgedMetrics } from '../conditions/index.ts'
import { createJudge } from '../conditions/judge.ts'
import { conditionSamples, valuesOf } from '../conditions/published.ts'
import { limitsOf, waitsOf } from '../config/alerting.ts'
import type { Config } from '../config/schema.ts'
import { type Clock, isOver, type Moment, NEVER } from '../lib/clock.ts'
import { entryOf } from '../lib/entry.ts'
import type { Labels } from '../lib/label-text.ts'
import type { Records } from '../lib/records.ts'
import type { Logger } from '../logger.ts'
import type { Sample } from '../metrics/define.ts'
import { renderFamilies } from '../metrics/exposition.ts'
import type { Change } from '../metrics/publication.ts'
import { keepMemory } from './judge-memory.ts'
import type { Judged } from '../status/value/readings.ts'
import { metricNames } from '../status/value/metric-names.ts'

/** Polls are ten seconds apart at the least: a verdict may be half as old (milliseconds). */
const INTERVAL = 5_000
/** The largest share of time that rounds may take. */
const SHARE = 0.05
const UNIT = 'verdicts'
/** What is kept of what is published: for the judge, and for the page. */
const kept: ReadonlySet<string> = new Set([...judgedMetrics, ...metricNames])

export type Judging = ReturnType<typeof createJudging>

export const isKept = (metric: string) => kept.has(metric)

interface Options {
  clock: Pick<Clock, 'now'>
  log: Logger
  store: Records | undefined
}

export function createJudging({ clock, log, store }: Options) {
  const board = createBoard()
  const judge = createJudge(conditions)
  const alerts = createVerdictAlerts()
  let last: Judged | undefined
  const expiries = new Map<string, Moment>()
  let dueAt = -Infinity
  const memory = keepMemory(judge, store)
  let toRepeat: readonly Labels[] = []

  function forget(unit: string): void {
    board.replace(unit, new Map())
    expiries.delete(unit)
  }

  function forgetExpired(now: Moment): void {
    for (const [key, end] of expiries) if (isOver(end, now)) forget(key)
  }

  function tellChanges(before: Judged['problems'], now: Judged['problems']): void {
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

  return {
    /** Takes the samples of a change; what is left of it is for scrapes. */
    take(change: Change): Change {
      if (change.kind === 'drop') {
        for (const key of change.keys) forget(key)
        return change
      }
      const { samples = [], ...rest } = change
      board.replace(change.key, readingsOf(samples))
      if (change.expiresAt === NEVER) expiries.delete(change.key)
      else expiries.set(change.key, change.expiresAt)
      return rest
    },
    isDue: (now: Moment) => now.steady >= dueAt,
    /** `ahead`: how far our clock is ahead of the upstreams, by which samples have their times (milliseconds). */
    verdicts(now: Moment, config: Pick<Config, 'limits' | 'alerts'>, ahead: number): Change {
      forgetExpired(now)
      const waits = waitsOf(config)
      const verdicts = judge.judge(board, (now.wall - ahead) / 1_000, limitsOf(config), waits)
      memory.save(now)
      toRepeat = verdicts.toRepeat
      const values = valuesOf(verdicts.judged)
      alerts.take((name) => values.get(name) ?? [], now.wall, { waits })
      const problems = Array.from(verdicts.failed, ([{ alert }, problem]) => ({ rule: alert, problem }))
      tellChanges(last?.problems ?? [], problems)
      last = { at: now, alerting: alerts.alerting(), problems }
      const samples = conditionSamples(verdicts)
      const families = renderFamilies(samples)
      dueAt = now.steady + Math.max(INTERVAL, (clock.now().steady - now.steady) / SHARE)
      return { kind: 'publish', key: UNIT, families, samples, expiresAt: NEVER }
    },
    /** What the last round found; undefined before the first one. */
    last: () => last,
    /** The current samples of metrics that are kept. */
    readings(metrics: ReadonlySet<string>) {
      forgetExpired(clock.now())
      return board.readings(metrics)
    },
    /** The labels of the runs that should be repeated, once after each round of verdicts. */
    takeRepeats(): readonly Labels[] {
      const taken = toRepeat
      toRepeat = []
      return taken
    },
    /** Saves what the conditions remember, before the storage is closed. */
    end: () => memory.save(clock.now(), true),
  }
}

function readingsOf(samples: readonly Sample[]): Map<string, Reading[]> {
  const readings = new Map<string, Reading[]>()
  for (const { metric, labels, value } of samples) {
    if (!kept.has(metric.name) || typeof value === 'object') continue
    const some = entryOf(readings, metric.name, () => [])
    if (typeof value === 'number') some.push({ labels, value })
    else some.push({ labels: { ...labels, state: metric.states!.includes(value) ? value : 'other' }, value: 1 })
  }
  return readings
}

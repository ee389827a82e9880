// Takes the samples of what the poller publishes, has the conditions judge them, and publishes the verdicts.

import { z } from 'zod'
import { createBoard, type Reading } from '../conditions/board.ts'
import { conditions, judgedMetrics } from '../conditions/index.ts'
import { createJudge } from '../conditions/judge.ts'
import { conditionSamples } from '../conditions/published.ts'
import { limitsOf, waitsOf } from '../config/alerting.ts'
import type { Config } from '../config/schema.ts'
import { type Clock, isOver, type Moment, NEVER } from '../lib/clock.ts'
import { entryOf } from '../lib/entry.ts'
import type { Labels } from '../lib/label-text.ts'
import type { Records } from '../lib/records.ts'
import type { Sample } from '../metrics/define.ts'
import { renderFamilies } from '../metrics/exposition.ts'
import type { Change } from '../metrics/publication.ts'

/** Polls are ten seconds apart at the least: a verdict may be half as old (milliseconds). */
const INTERVAL = 5_000
/** The largest share of time that rounds may take. */
const SHARE = 0.05
/** A crash loses at most this much of what the conditions remember; what is a problem is saved when it changes (milliseconds). */
const SAVED_EVERY = 300_000
const UNIT = 'verdicts'
const PROBLEMS = 'problems'
const TRACKS = 'tracks'

/** What another version saved may have another form. */
const problemsForm = z.record(
  z.string(),
  z.record(
    z.string(),
    z.object({
      labels: z.record(z.string(), z.string()),
      value: z.number(),
      since: z.number(),
      hasFired: z.boolean(),
      unknownSince: z.number().optional(),
    }),
  ),
)
/** JSON has no NaN: what was not known is null. */
const tracksForm = z.record(
  z.string(),
  z.record(
    z.string(),
    z.array(
      z
        .number()
        .nullable()
        .transform((one) => one ?? NaN),
    ),
  ),
)

export type Judging = ReturnType<typeof createJudging>

export function createJudging(clock: Pick<Clock, 'now'>, store: Records | undefined) {
  const board = createBoard()
  const judge = createJudge(conditions)
  const expiries = new Map<string, Moment>()
  let dueAt = -Infinity
  let toRepeat: readonly Labels[] = []
  let tracksSavedAt: Moment | undefined
  let problemsSaved: string | undefined
  const problems = problemsForm.safeParse(store?.load(PROBLEMS))
  const tracks = tracksForm.safeParse(store?.load(TRACKS))
  if (problems.success || tracks.success) judge.resume({ problems: problems.data ?? {}, tracks: tracks.data ?? {} })

  function forget(unit: string): void {
    board.replace(unit, new Map())
    expiries.delete(unit)
  }

  function save(now: Moment, isLast = false): void {
    if (!store) return
    const problems = judge.problems()
    // A countdown has another value in each round: that alone is not worth a write.
    const text = JSON.stringify(problems, (name, value: unknown) => (name === 'value' && !isLast ? undefined : value))
    if (text !== problemsSaved) void store.save(PROBLEMS, problems)
    problemsSaved = text
    if (!isLast && tracksSavedAt !== undefined && now.steady - tracksSavedAt.steady < SAVED_EVERY) return
    tracksSavedAt = now
    void store.save(TRACKS, judge.tracks())
  }

  return {
    /** Takes the samples of a change; what is left of it can cross threads. */
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
      for (const [key, end] of expiries) if (isOver(end, now)) forget(key)
      const verdicts = judge.judge(board, (now.wall - ahead) / 1_000, limitsOf(config), waitsOf(config))
      toRepeat = judge.toRepeat()
      save(now)
      const families = renderFamilies(conditionSamples(verdicts))
      dueAt = now.steady + Math.max(INTERVAL, (clock.now().steady - now.steady) / SHARE)
      return { kind: 'publish', key: UNIT, families, expiresAt: NEVER }
    },
    /** The labels of the runs that should be repeated, once after each round of verdicts. */
    takeRepeats(): readonly Labels[] {
      const taken = toRepeat
      toRepeat = []
      return taken
    },
    /** Saves what the conditions remember, before the storage is closed. */
    end: () => save(clock.now(), true),
  }
}

function readingsOf(samples: readonly Sample[]): Map<string, Reading[]> {
  const readings = new Map<string, Reading[]>()
  for (const { metric, labels, value } of samples) {
    if (!judgedMetrics.has(metric.name) || typeof value === 'object') continue
    const some = entryOf(readings, metric.name, () => [])
    if (typeof value === 'number') some.push({ labels, value })
    else some.push({ labels: { ...labels, state: metric.states!.includes(value) ? value : 'other' }, value: 1 })
  }
  return readings
}

// Hears what the poller publishes, keeps what the conditions read, and publishes the verdicts.

import { createBoard, type Reading } from '../conditions/board.ts'
import { conditions, judgedMetrics } from '../conditions/index.ts'
import { createJudge, type Remains } from '../conditions/judge.ts'
import { conditionSamples } from '../conditions/published.ts'
import { limitsOf, waitsOf } from '../config/alerting.ts'
import type { Config } from '../config/schema.ts'
import { entryOf } from '../lib/entry.ts'
import { isOver, type Moment, NEVER } from '../lib/clock.ts'
import type { Records } from '../lib/records.ts'
import type { Sample } from '../metrics/define.ts'
import { renderFamilies } from '../metrics/exposition.ts'
import type { Change } from '../metrics/publication.ts'

/** Polls are ten seconds apart at the least: a verdict may be half as old (milliseconds). */
const INTERVAL = 5_000
/** A crash loses at most this much of what the conditions remember (milliseconds). */
const SAVED_EVERY = 60_000
const RECORD = 'verdicts'

export type Judging = ReturnType<typeof createJudging>

export function createJudging(store: Records | undefined) {
  const board = createBoard()
  const judge = createJudge(conditions)
  const expiries = new Map<string, Moment>()
  let judgedAt: Moment | undefined
  let savedAt: Moment | undefined
  const remains = store?.load(RECORD)
  if (remains !== undefined) judge.resume(remains as Remains)

  return {
    /** Takes the samples of a change; what is left of it can cross threads. */
    take(change: Change): Change {
      if (change.kind === 'drop') {
        for (const key of change.keys) {
          board.replace(key, new Map())
          expiries.delete(key)
        }
        return change
      }
      const { samples = [], ...rest } = change
      board.replace(change.key, readingsOf(samples))
      if (change.expiresAt !== NEVER) expiries.set(change.key, change.expiresAt)
      return rest
    },
    isDue: (now: Moment) => judgedAt === undefined || now.steady - judgedAt.steady >= INTERVAL,
    /** `ahead`: how far our clock is ahead of the upstreams, by which samples have their times (milliseconds). */
    verdicts(now: Moment, config: Pick<Config, 'limits' | 'alerts'>, ahead: number): Change {
      judgedAt = now
      for (const [key, end] of expiries) {
        if (!isOver(end, now)) continue
        board.replace(key, new Map())
        expiries.delete(key)
      }
      const verdicts = judge.judge(board, (now.wall - ahead) / 1_000, limitsOf(config), waitsOf(config))
      if (store && (savedAt === undefined || now.steady - savedAt.steady >= SAVED_EVERY)) {
        savedAt = now
        void store.save(RECORD, judge.remains())
      }
      return { kind: 'publish', key: RECORD, families: renderFamilies(conditionSamples(verdicts)), expiresAt: NEVER }
    },
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

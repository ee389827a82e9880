// When tasks run: all at once at the start, then each at its own phase of its interval.

import { Cron } from 'croner'
import pLimit from 'p-limit'
import { BaseError } from '../errors.ts'
import { hash32 } from '../lib/hash.ts'
import type { Task } from './plan.ts'
import type { Runner } from './run.ts'

export interface Scheduler {
  /** Runs every task once; resolves when all of them have been attempted. */
  start(tasks: readonly Task[]): Promise<void>
  /** No new runs; those in flight may finish for `grace` milliseconds and are then given up. */
  stop(grace: number): Promise<void>
}

/** First runs at a time: enough to be quick, few enough not to greet an upstream with a burst. */
const FIRST_RUNS = 16

export function createScheduler({ run, skip }: Runner, now: () => number): Scheduler {
  const limit = pLimit(FIRST_RUNS)
  const stopping = new AbortController()
  const inFlight = new Map<string, Promise<void>>()
  const jobs: Cron[] = []

  function begin(task: Task, work: () => Promise<void>): Promise<void> {
    const done = work().finally(() => inFlight.delete(task.key))
    inFlight.set(task.key, done)
    return done
  }

  const runTask = (task: Task) => (stopping.signal.aborted ? Promise.resolve() : run(task, stopping.signal))

  function tick(task: Task): void {
    if (inFlight.has(task.key)) return skip(task)
    void begin(task, () => runTask(task))
  }

  return {
    async start(tasks) {
      const startedAt = now()
      const firsts = tasks.map((task) => {
        const first = begin(task, () => limit(() => runTask(task)))
        const startAt = new Date(secondRun(task, startedAt))
        // In UTC, so that no interval is cut or stretched by daylight saving.
        jobs.push(
          new Cron('* * * * * *', { startAt, interval: Math.ceil(task.settings.every / 1_000), utcOffset: 0 }, () =>
            tick(task),
          ),
        )
        return first
      })
      await Promise.all(firsts)
    },
    async stop(grace) {
      for (const job of jobs) job.stop()
      const runs = Promise.all(inFlight.values())
      const timer = setTimeout(() => stopping.abort(new BaseError('aborted', 'stakewatch is stopping')), grace)
      await runs
      clearTimeout(timer)
      stopping.abort(new BaseError('aborted', 'stakewatch is stopping'))
    },
  }
}

/** The task's phase spreads the second runs over the interval; it comes half an interval after the start at the earliest. */
function secondRun({ key, settings: { every } }: Task, startedAt: number): number {
  const phase = (hash32(key) / 2 ** 32) * every
  const earliest = startedAt + every / 2
  return earliest + ((((phase - earliest) % every) + every) % every)
}

// When tasks run: all at once at the start and after a jump of a clock, then each at its own phase of its interval. One
// ticker follows the steady clock.

import { BaseError } from '../errors.ts'
import { type Clock, type Jump, jumpBetween, type Moment } from '../lib/clock.ts'
import { hash32 } from '../lib/hash.ts'
import type { Task } from './plan.ts'
import type { Runner } from './run.ts'

export interface Scheduler {
  /** Runs every task once; resolves when all of them have been attempted. */
  start(tasks: readonly Task[]): Promise<void>
  /** No new runs; those in flight may finish for `grace` milliseconds and are then given up. */
  stop(grace: number): Promise<void>
}

export interface SchedulerOptions {
  runner: Pick<Runner, 'run' | 'skip'>
  clock: Clock
  /** Called at every tick; `jump` when a clock has jumped since the one before. */
  ticked: (at: Moment, jump?: Jump) => void
  /** Milliseconds between two runs of a task; default: as planned. */
  everyOf?: (task: Task) => number
}

/** How late a run may start (milliseconds). */
const TICK = 250

interface Planned {
  task: Task
  /** On the steady clock. */
  due: number
}

export function createScheduler({
  runner,
  clock,
  ticked,
  everyOf = ({ settings }) => settings.every,
}: SchedulerOptions): Scheduler {
  const stopping = new AbortController()
  const inFlight = new Map<string, Promise<void>>()
  let planned: Planned[] = []
  let last = clock.now()
  let stopTicking = () => {}

  function begin(task: Task): Promise<void> {
    const done = runner.run(task, stopping.signal).finally(() => inFlight.delete(task.key))
    inFlight.set(task.key, done)
    return done
  }

  function runDue(one: Planned, now: number): void {
    const every = everyOf(one.task)
    // After a long sleep one run makes up for all that were missed.
    one.due += every * (1 + Math.floor((now - one.due) / every))
    if (inFlight.has(one.task.key)) runner.skip(one.task)
    else void begin(one.task)
  }

  function runAgain({ task }: Planned): void {
    if (!inFlight.has(task.key)) void begin(task)
  }

  function tick(): void {
    const now = clock.now()
    const jump = jumpBetween(last, now)
    last = now
    ticked(now, jump)
    for (const one of planned) {
      if (one.due <= now.steady) runDue(one, now.steady)
      else if (jump) runAgain(one)
    }
    stopTicking = clock.after(TICK, tick)
  }

  return {
    async start(tasks) {
      last = clock.now()
      planned = tasks.map((task) => ({ task, due: secondRun(task, last.steady) }))
      stopTicking = clock.after(TICK, tick)
      await Promise.all(tasks.map(begin))
    },
    async stop(grace) {
      stopTicking()
      planned = []
      const giveUp = () => stopping.abort(new BaseError('aborted', 'stakewatch is stopping'))
      const callOff = clock.after(grace, giveUp)
      await Promise.all(inFlight.values())
      callOff()
      giveUp()
    },
  }
}

/** The task's phase spreads the second runs over the interval; it comes half an interval after the start at the earliest. */
function secondRun({ key, settings: { every } }: Task, startedAt: number): number {
  const phase = (hash32(key) / 2 ** 32) * every
  const earliest = startedAt + every / 2
  return earliest + ((((phase - earliest) % every) + every) % every)
}

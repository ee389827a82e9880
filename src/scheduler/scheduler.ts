// When tasks run: all at once at the start and after a jump of a clock, then each at its own phase of its interval. One
// ticker follows the steady clock. A task with a schedule follows the wall clock: a time that passed while the machine slept
// is made up for once. A reload removes and adds tasks, and does not touch those that stay.

import { BaseError } from '../errors.ts'
import { type Clock, type Jump, jumpBetween, type Moment } from '../lib/clock.ts'
import { type Calendar, calendarOf } from '../lib/calendar.ts'
import { hash32 } from '../lib/hash.ts'
import type { Task } from './plan.ts'

interface Runner {
  /** Resolves when the run has ended; never rejects. */
  run(task: Task, signal: AbortSignal): Promise<void>
  /** The task was due while its last run was still in progress. */
  skip(task: Task): void
}

export interface SchedulerOptions {
  runner: Runner
  clock: Clock
  /** Called at every tick; `jump` when a clock has jumped since the one before. */
  ticked: (at: Moment, jump?: Jump) => void
  /** Milliseconds between two runs of a task; default: as planned. */
  everyOf?: (task: Task) => number
}

/** How late a run may start (milliseconds). */
const TICK = 250
/** A run is repeated at most this often (milliseconds): an upstream that keeps changing its mind must not cost more. */
const REPEATED = 5 * 60_000

interface Planned {
  task: Task
  /** On the steady clock; with a schedule on the wall clock. */
  due: number
  calendar: Calendar | undefined
  /** Aborts its runs. */
  stopping: AbortController
  isRunning: boolean
  /** A clock has jumped since its run began. */
  isOutdated: boolean
  /** When it was last repeated (steady clock). */
  repeatedAt: number
}

export function createScheduler(options: SchedulerOptions) {
  const { runner, clock, ticked, everyOf = ({ settings }) => settings.every } = options
  /** Includes runs of removed tasks, which end soon. */
  const inFlight = new Map<Promise<void>, AbortController>()
  let planned: Planned[] = []
  let isStarted = false
  let last = clock.now()
  let stopTicking = () => {}

  function begin(one: Planned): Promise<void> {
    Object.assign(one, { isRunning: true, isOutdated: false })
    const done = runner.run(one.task, one.stopping.signal).finally(() => {
      one.isRunning = false
      inFlight.delete(done)
      if (one.isOutdated && isStarted && !one.stopping.signal.aborted) void begin(one)
    })
    inFlight.set(done, one.stopping)
    return done
  }

  function runDue(one: Planned, now: Moment): void {
    one.due = nextRun(one, now, everyOf)
    if (one.isRunning) runner.skip(one.task)
    else void begin(one)
  }

  function tick(): void {
    const now = clock.now()
    const jump = jumpBetween(last, now)
    last = now
    ticked(now, jump)
    for (const one of planned) {
      if (jump && one.isRunning && !one.calendar) one.isOutdated = true
      if (one.due <= (one.calendar ? now.wall : now.steady)) runDue(one, now)
      else if (!jump) continue
      // A clock that was set back brings times again.
      else if (one.calendar) one.due = nextRun(one, now, everyOf)
      else if (!one.isRunning) void begin(one)
    }
    stopTicking = clock.after(TICK, tick)
  }

  return {
    /** Runs every task once; resolves when all of them have been attempted. */
    async start(tasks: readonly Task[]): Promise<void> {
      last = clock.now()
      isStarted = true
      planned = tasks.map((task) => plannedFor(task, clock.now()))
      stopTicking = clock.after(TICK, tick)
      await Promise.all(planned.map(begin))
    },
    /** Aborts the runs of tasks that stop, and runs those that start at once. Does nothing before `start`. */
    exchange({ stop, start }: { stop: readonly Task[]; start: readonly Task[] }) {
      if (!isStarted) return
      const stopped = new Set(stop)
      const gone = planned.filter(({ task }) => stopped.has(task))
      const begun = start.map((task) => plannedFor(task, clock.now()))
      const kept = planned.filter(({ task }) => !stopped.has(task))
      for (const one of kept) one.due = soonest(one, clock.now(), everyOf)
      planned = [...kept, ...begun]
      for (const { stopping } of gone) stopping.abort(new BaseError('aborted', 'the configuration was reloaded'))
      for (const one of begun) void begin(one)
    },
    /** Runs these tasks now, unless they are running; their turns stay. */
    repeat(isWanted: (task: Task) => boolean): void {
      for (const one of repeatable(planned, clock.now().steady, isWanted)) void begin(one)
    },
    /** Starts no new runs; those in flight are aborted after `grace` milliseconds. */
    async stop(grace: number): Promise<void> {
      stopTicking()
      isStarted = false
      planned = []
      const reason = new BaseError('aborted', 'stakewatch is stopping')
      const callOff = clock.after(grace, () => inFlight.forEach((stopping) => stopping.abort(reason)))
      await Promise.all(inFlight.keys())
      callOff()
    },
  }
}

/** Those that may be repeated now; from then on they may not for a while. */
function repeatable(planned: readonly Planned[], now: number, isWanted: (task: Task) => boolean): Planned[] {
  const some = planned.filter((one) => !one.isRunning && now - one.repeatedAt >= REPEATED && isWanted(one.task))
  for (const one of some) one.repeatedAt = now
  return some
}

function plannedFor(task: Task, now: Moment): Planned {
  const { schedule } = task.settings
  const calendar = schedule && calendarOf(schedule.pattern, schedule.timezone)
  const due = calendar ? matchAfter(calendar, now) : secondRun(task, now.steady)
  return {
    task,
    due,
    calendar,
    stopping: new AbortController(),
    isRunning: false,
    isOutdated: false,
    repeatedAt: -Infinity,
  }
}

const matchAfter = (calendar: Calendar, now: Moment) => calendar.after(now.wall) ?? Infinity

/** After a long sleep one run replaces all that were missed. */
function nextRun({ task, due, calendar }: Planned, now: Moment, everyOf: (task: Task) => number): number {
  if (calendar) return matchAfter(calendar, now)
  const every = everyOf(task)
  return due + every * (1 + Math.floor((now.steady - due) / every))
}

/** The turn of a task that may run more often now; a second run is at most one and a half intervals away. */
function soonest({ task, due, calendar }: Planned, now: Moment, everyOf: (task: Task) => number): number {
  const every = everyOf(task)
  if (calendar || due - now.steady <= 1.5 * every) return due
  return due - every * Math.floor((due - now.steady) / every)
}

/** The task's phase spreads the second runs over the interval; it comes half an interval after the start at the earliest. */
function secondRun({ key, settings: { every } }: Task, startedAt: number): number {
  const phase = (hash32(key) / 2 ** 32) * every
  const earliest = startedAt + every / 2
  return earliest + ((((phase - earliest) % every) + every) % every)
}

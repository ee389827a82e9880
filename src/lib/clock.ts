// Time by two clocks. The wall clock says when, and jumps when it is set. The steady clock measures how long; it cannot
// be set, but it pauses while the machine sleeps.

export interface Moment {
  /** Milliseconds since the epoch. */
  wall: number
  /** Milliseconds since some moment that is the same for all threads of the process. */
  steady: number
}

export interface Clock {
  now(): Moment
  /** Runs the work once after this many milliseconds. Returns a function that cancels it. */
  after(milliseconds: number, work: () => void): () => void
  /** Aborts after this many milliseconds, with the platform's TimeoutError. */
  deadline(milliseconds: number): AbortSignal
}

/** An end that never comes. */
export const NEVER: Moment = { wall: Infinity, steady: Infinity }

/** Milliseconds: the greater age of both clocks, as a clock that was set back or a sleep must not make data younger. */
export function ageOf(moment: Moment, now: Moment): number {
  return Math.max(now.wall - moment.wall, now.steady - moment.steady)
}

export function later({ wall, steady }: Moment, milliseconds: number): Moment {
  return { wall: wall + milliseconds, steady: steady + milliseconds }
}

/** The earliest time on each clock. */
export function earliest(moments: readonly Moment[]): Moment {
  return {
    wall: Math.min(...moments.map(({ wall }) => wall)),
    steady: Math.min(...moments.map(({ steady }) => steady)),
  }
}

/** True if either clock says so. */
export function isOver(end: Moment, now: Moment): boolean {
  return now.wall >= end.wall || now.steady >= end.steady
}

/** `back`: the wall clock was set back. `forward`: it was set forward, or the machine slept. `pause`: all stood still. */
export const jumps = ['back', 'forward', 'pause'] as const

export type Jump = (typeof jumps)[number]

/** How far clocks may differ from one look to the next (milliseconds): slewing never reaches this. */
const SLEW = 2_000
/** No work takes this long: the process was stopped, or the machine (milliseconds). */
const PAUSE = 15_000

/** What happened to the clocks between two looks at them, a fraction of a second apart. */
export function jumpBetween(before: Moment, now: Moment): Jump | undefined {
  const steady = now.steady - before.steady
  const set = now.wall - before.wall - steady
  if (set < -SLEW) return 'back'
  if (set > SLEW) return 'forward'
  return steady > PAUSE ? 'pause' : undefined
}

/** How far (seconds) something can lie ahead of our wall clock, as clocks differ. */
const MOST_AHEAD = 3_600

/** Whether a time (Unix seconds) lies in the future. `now` in milliseconds since the epoch. */
export function isInFuture(seconds: number, now: number): boolean {
  return seconds > now / 1_000 + MOST_AHEAD
}

// Time by two clocks. The wall clock says when, and jumps when it is set. The steady clock measures how long; it cannot
// be set, but it pauses while the machine sleeps.

export interface Moment {
  /** Milliseconds since the epoch. */
  wall: number
  /** Milliseconds since some moment. */
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

// Decides whose clock is wrong: ours, or that of one upstream.

/** Milliseconds that our clock was ahead of an upstream's, and when that was (on the steady clock). */
export interface Offset {
  ahead: number
  at: number
}

/** Synchronised machines differ by milliseconds, and an answer is a second or two old at most (milliseconds). */
const CLOCK_WRONG = 60_000
/** Number of answers in the median, so that one late answer does not decide. */
const LATEST = 5
const HOUR = 3_600_000

export const noted = (offsets: readonly Offset[], one: Offset): readonly Offset[] => [...offsets, one].slice(-LATEST)

/** From the answers of the last hour; undefined without any. */
export function medianAhead(offsets: readonly Offset[], steady: number): number | undefined {
  return median(offsets.filter(({ at }) => steady - at < HOUR).map(({ ahead }) => ahead))
}

/** How far our clock is off (milliseconds) if more than half of the upstreams agree, else 0. */
export function ownError(upstreams: readonly number[]): number {
  const of = (sign: number) => upstreams.filter((ahead) => sign * ahead > CLOCK_WRONG)
  const agreed = [of(1), of(-1)].find((some) => some.length > upstreams.length / 2)
  return agreed ? median(agreed)! : 0
}

/** One that was measured: a mean of two would be of neither. */
function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

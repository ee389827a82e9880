// The time of a chaos run: one steady clock for the harness and the daemon, faster than that of the machine.

/** How the daemon learns it: set in its environment, so that all its threads know it from their beginning. */
export const TIME_VARIABLE = 'STAKEWATCH_CHAOS_TIME'
export const CHANNEL = 'stakewatch chaos time'

export interface TimeSettings {
  /** Nanoseconds of the machine's steady clock at which the run began, as text. */
  origin: string
  speed: number
  /** Milliseconds since the epoch, of the daemon's wall clock at the origin. */
  epoch: number
  /** Milliseconds by which the daemon's wall clock is set wrong. */
  offset: number
}

export interface TimeOrder {
  offset: number
}

export interface Time {
  readonly speed: number
  readonly epoch: number
  /** Milliseconds of the run: those of the steady clock and those that the machine was suspended. It is the truth. */
  now(): number
  /** The machine sleeps for so long: the steady clock stands still, the world goes on. Gives the truth before. */
  suspend(milliseconds: number): void
  /** By how much the daemon's wall clock is away from the steady one. */
  offset(): number
  setWrong(milliseconds: number): void
  settings(): TimeSettings
  /** Milliseconds of the machine for the given ones of the run. */
  real(milliseconds: number): number
}

export function createTime(speed: number, epoch: number): Time {
  const origin = process.hrtime.bigint()
  let suspended = 0
  let wrong = 0
  const offset = () => suspended + wrong
  return {
    speed,
    epoch,
    now: () => (Number(process.hrtime.bigint() - origin) / 1e6) * speed + suspended,
    suspend(milliseconds) {
      suspended += milliseconds
    },
    offset,
    setWrong(milliseconds) {
      wrong = milliseconds
    },
    settings: () => ({ origin: String(origin), speed, epoch, offset: offset() }),
    real: (milliseconds) => milliseconds / speed,
  }
}

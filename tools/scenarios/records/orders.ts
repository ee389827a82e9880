// When a process is to die.

/**
 * before: when a transaction begins. writing: between two of its records. written: before its COMMIT. commit: within it,
 * around the write and the fsync of the log. committed: right after it. published: while what it made durable is
 * published. checkpoint: within a COMMIT that also moves the log into the file. close: while the file is closed in good
 * order, or right after it. any: at any time, by the clock.
 */
export const phases = [
  'before',
  'writing',
  'written',
  'commit',
  'committed',
  'published',
  'checkpoint',
  'close',
  'any',
] as const
export type Phase = (typeof phases)[number]

export interface Instant {
  phase: Phase
  /** In the order of their beginning. The first one makes a new file, or shows that an old one can be written. */
  transaction: number
  statement: number
  /** After the instant that the phase names. */
  microseconds: number
}

export interface Orders {
  instant: Instant
  /** File for the marks of how far it came. */
  marks: string
}

/** How many microseconds each phase takes, about, and a little more. */
export const longest: Readonly<Partial<Record<Phase, number>>> = {
  commit: 500,
  published: 20_000,
  checkpoint: 1_500,
  close: 2_000,
  any: 2_500_000,
}

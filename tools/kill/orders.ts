// When a process is to die.

import type { Random } from '../../src/simulator/world/random.ts'

/**
 * before: when a transaction begins. writing: between two of its records. written: before its COMMIT. commit: within it,
 * around the write and the fsync of the log. committed: right after it. published: while what it made durable is
 * published. checkpoint: within a COMMIT that also moves the log into the file. close: while the file is closed in good
 * order, or right after it. any: at any time, by the clock.
 */
const phases = [
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
type Phase = (typeof phases)[number]

export interface Instant {
  phase: Phase
  /** In the order of their beginning. The first one makes a new file, or shows that an old one can be written. */
  transaction: number
  statement: number
  /** After the instant that the phase names. */
  microseconds: number
}

export interface Orders {
  /** Of the wall clock: milliseconds. */
  offset: number
  /** Undefined for a process that may live. */
  instant?: Instant | undefined
  /** File for the marks of how far it came. */
  marks: string
}

/** How long each phase takes, about, and a little more. */
const microseconds: Readonly<Partial<Record<Phase, number>>> = {
  commit: 500,
  published: 20_000,
  checkpoint: 1_500,
  close: 2_000,
  any: 2_500_000,
}

export function instantOf(round: number, { between }: Random): Instant {
  const phase = phases[round % phases.length]!
  const longest = microseconds[phase] ?? 0
  return {
    phase,
    transaction: between(1, 4),
    statement: between(1, 3),
    microseconds: longest === 0 ? 0 : between(1, longest),
  }
}

/** By the last mark that a process made. */
export const places: Readonly<Record<string, string>> = {
  '': 'before the file was opened',
  o: 'while the file was opened',
  b: 'within a transaction, before its COMMIT',
  c: 'within a COMMIT',
  d: 'after a COMMIT',
  e: 'while the file was closed',
  f: 'after the file was closed',
}

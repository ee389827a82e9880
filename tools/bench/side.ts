// Rounds of two sides in turn.

import type { Figures, Started } from './process.ts'

/** Milliseconds that the work took. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Milliseconds of the wall, and of CPU by all threads of the process. */
export async function measured(work: () => unknown): Promise<Figures> {
  const before = process.cpuUsage()
  const milliseconds = await timed(work)
  const { user, system } = process.cpuUsage(before)
  return { milliseconds, cpu: (user + system) / 1_000 }
}

export interface Rounds {
  /** Pairs that are thrown away first. */
  warmUp: number
  pairs: number
}

/** What else is done on the way. */
interface Hooks {
  beforePair?: () => Promise<void>
  afterRound?: () => Promise<void>
  /** Before the sides end. */
  atLast?: () => Promise<void>
}

/**
 * Both answer the question `round`, in turn, so that what else the machine does affects both. Who begins changes with each
 * pair. Both end afterwards.
 */
export async function inTurn(
  [first, second]: readonly [Started, Started],
  { warmUp, pairs }: Rounds,
  { beforePair, afterRound, atLast }: Hooks = {},
): Promise<[Figures, Figures][]> {
  const found: [Figures, Figures][] = []
  for (let pair = 0; pair < warmUp + pairs; pair += 1) {
    const isSwapped = pair % 2 === 1
    await beforePair?.()
    const one = await (isSwapped ? second : first).ask('round')
    await afterRound?.()
    const other = await (isSwapped ? first : second).ask('round')
    await afterRound?.()
    if (pair >= warmUp) found.push(isSwapped ? [other, one] : [one, other])
  }
  await atLast?.()
  await Promise.all([first.end(), second.end()])
  return found
}

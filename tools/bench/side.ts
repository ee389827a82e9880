// One side of a comparison is a process of its own: neither heap nor compiled code is shared with the other side.

import { fork } from 'node:child_process'
import { once } from 'node:events'

/** What a round measured, by name. */
export type Figures = Readonly<Record<string, number>>

export interface Side {
  /** Does its work once. */
  round(): Promise<Figures>
  end(): Promise<void>
}

/** Starts a file that calls `answerRounds`. */
export function openSide(file: URL, args: readonly (string | number)[], flags: readonly string[] = []): Side {
  const child = fork(file, args.map(String), { execArgv: [...flags], stdio: 'inherit' })
  const gone = once(child, 'exit')
  return {
    async round() {
      child.send('round')
      const ended = gone.then(([code]) => Promise.reject(new Error(`a side of the comparison ended with ${code}`)))
      return Promise.race([once(child, 'message').then(([figures]) => figures as Figures), ended])
    },
    async end() {
      child.disconnect()
      await gone
    },
  }
}

/** In the process of a side: does the work whenever it is asked to, until nobody asks any more. */
export function answerRounds(work: () => Promise<Figures>): void {
  process.on('message', () => void work().then((figures) => process.send!(figures)))
}

/** Milliseconds of the wall that the work took. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/**
 * Rounds of two sides in turn, so that what else the machine does befalls both. Who begins changes with each pair. The
 * first `warmUp` pairs are thrown away.
 */
export async function inTurn(
  [first, second]: readonly [Side, Side],
  { warmUp, pairs }: { warmUp: number; pairs: number },
): Promise<[Figures, Figures][]> {
  const measured: [Figures, Figures][] = []
  for (let pair = 0; pair < warmUp + pairs; pair += 1) {
    const isSwapped = pair % 2 === 1
    const one = await (isSwapped ? second : first).round()
    const other = await (isSwapped ? first : second).round()
    if (pair >= warmUp) measured.push(isSwapped ? [other, one] : [one, other])
  }
  return measured
}

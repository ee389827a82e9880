// The heap of a thread after it has taken a configuration. What modules, the configuration and the first polls left behind
// would stay for hours in a daemon with little to do: V8 collects it when the heap has grown, and that one's does not.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Clock } from '../lib/clock.ts'

/** Whoever waits for the first answers has them by then (milliseconds). */
const SETTLED = 5_000

/** Collects once, soon. Gives what calls it off. */
export function tidyLater(clock: Clock): () => void {
  return clock.after(SETTLED, tidy)
}

/**
 * Takes 20 to 80 ms of the thread. Only the collection of last resort gives back the room for short-lived objects as well,
 * which a large configuration has made large.
 */
export function tidy(): void {
  setFlagsFromString('--expose-gc')
  // A context has the function only if it is made after the flag is set.
  const collect = runInNewContext('gc') as (how: object) => void
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

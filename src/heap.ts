// The heap of a thread after its start. What modules and the first round of polls left behind would stay for hours in a
// daemon with little to do: V8 collects it when the heap has grown, and that one's does not.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Clock } from './lib/clock.ts'

/** Whoever waits for the first answers has them by then (milliseconds). */
const SETTLED = 5_000

/** Collects once, when the start is over: 20 to 60 ms that nobody waits for. Gives what calls it off. */
export function tidyLater(clock: Clock): () => void {
  return clock.after(SETTLED, () => {
    setFlagsFromString('--expose-gc')
    // A context has the function only if it is made after the flag is set.
    const collect = runInNewContext('gc') as () => void
    collect()
  })
}

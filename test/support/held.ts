// What is still held of objects that ought to be gone.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** How many of them are still held. */
export async function countHeld(some: readonly WeakRef<object>[]): Promise<number> {
  // Within the turn of the event loop in which it was made or looked at, what a WeakRef refers to is kept.
  await new Promise((resolve) => setImmediate(resolve))
  collectGarbage()
  return some.filter((one) => one.deref() !== undefined).length
}

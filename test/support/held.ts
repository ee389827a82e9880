// What is still held of objects that ought to be gone.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** How many of them are still held. */
export async function countHeld(some: readonly WeakRef<object>[]): Promise<number> {
  let left = some.length
  // What is held stays so. What is not may outlive a collection: within the turn of the event loop in which it was looked at,
  // and while a thread of the compiler works on a function that has seen it.
  for (let turn = 0; turn < 10 && left > 0; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
    left = some.filter((one) => one.deref() !== undefined).length
  }
  return left
}

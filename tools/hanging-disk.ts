// A keeper of the storage's file whose disk can hang.

import { createKeeper } from '../src/storage/keeper.ts'
import type { Keeper } from '../src/storage/messages.ts'

export function createHangingDisk() {
  let hangs = false
  let wake = () => {}
  return {
    keep(folder: string): Keeper {
      const { write, close } = createKeeper(folder)
      return {
        async write(batch) {
          if (hangs) await new Promise<void>((resolve) => (wake = resolve))
          return write(batch)
        },
        close,
      }
    },
    hang() {
      hangs = true
    },
    goOn() {
      hangs = false
      wake()
    },
  }
}

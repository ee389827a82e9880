// A process that does nothing but count: it saves how far it is under several names, and says so when that is durable.

import { writeSync } from 'node:fs'
import { systemClock } from '../../../src/process/system-clock.ts'
import { keepInThread } from '../../../src/storage/keeper-thread.ts'
import { createStorage } from '../../../src/storage/storage.ts'

const log = { info: () => {}, warn: (_: object, message: string) => void writeSync(2, `${message}\n`) }
const folder = process.argv[2]!
const keeper = keepInThread(new URL('../../../src/storage/keeper-entry.ts', import.meta.url), folder)
const storage = createStorage({ folder, keeper, clock: systemClock, log })
await storage.open()
const memory = storage.records('memory')

/** Said before anything follows. The platform makes the output of a process with threads refuse what does not fit at once. */
function say(line: string): void {
  for (;;) {
    try {
      return void writeSync(1, line)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
  }
}

async function count(name: string): Promise<void> {
  const { position, sum } = (memory.load(name) ?? { position: 0, sum: 0 }) as { position: number; sum: number }
  const next = position + 1
  await memory.save(name, { position: next, sum: sum + next, items: 'x'.repeat((next * 97) % 3_000) })
  say(`${name} ${next}\n`)
}

for (let round = 0; round < Number(process.argv[3]); round += 1) await Promise.all(['a', 'b', 'c', 'd'].map(count))
await storage.close()

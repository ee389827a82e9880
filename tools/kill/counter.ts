// A process that does nothing but count: it saves how far it is under several names, and says so when that is durable.

import { writeSync } from 'node:fs'
import { systemClock } from '../../src/process/system-clock.ts'
import { openStorage } from '../../src/storage/storage.ts'

const log = { info: () => {}, warn: (_: object, message: string) => void writeSync(2, `${message}\n`) }
const storage = openStorage({ folder: process.argv[2]!, now: systemClock.now, log })
const memory = storage.records('memory')

async function count(name: string): Promise<void> {
  const { position, sum } = (memory.load(name) ?? { position: 0, sum: 0 }) as { position: number; sum: number }
  const next = position + 1
  await memory.save(name, { position: next, sum: sum + next, items: 'x'.repeat((next * 97) % 3_000) })
  writeSync(1, `${name} ${next}\n`)
}

for (let round = 0; round < Number(process.argv[3]); round += 1) await Promise.all(['a', 'b', 'c', 'd'].map(count))
storage.close()

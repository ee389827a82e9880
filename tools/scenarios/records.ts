// SIGKILL in each phase of a write, again and again, of a process that only writes records: nothing that was saved is lost, and
// no transaction is half there.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../src/process/system-clock.ts'
import { random } from '../../src/simulator/world/random.ts'
import { createKeeper } from '../../src/storage/keeper.ts'
import { createStorage } from '../../src/storage/storage.ts'
import { type Instant, longest, type Orders, type Phase, phases } from './records/orders.ts'
import type { Judge, Scenario } from './runner.ts'

const preload = new URL('records/preload.ts', import.meta.url).href
const counter = fileURLToPath(new URL('records/counter.ts', import.meta.url))
const NAMES = ['a', 'b', 'c', 'd']

/** One life of the process, and what the folder has afterwards. */
interface Life {
  instant: Instant
  signal: NodeJS.Signals | null
  /** What it wrote to its log, or what the storage said when the folder was read. */
  said: string
  /** Highest position of each name that the process has said to be durable. */
  durable: ReadonlyMap<string, number>
  records: readonly { position: number; sum: number }[]
}

/** All names are saved together, so they are equal; and at most one step ahead of what was said. */
export function createJudge(): Judge<Life> {
  const before = new Map<string, number>()
  return {
    see({ instant: { phase }, signal, said, durable, records }) {
      const says: string[] = []
      if (signal !== 'SIGKILL' || said !== '') says.push(`it ended with ${signal}: ${said}`)
      for (const [at, { position, sum }] of records.entries()) {
        const name = NAMES[at]!
        const least = durable.get(name) ?? before.get(name) ?? 0
        if (position < least || position > least + 1) says.push(`${name} is ${position} and was said to be ${least}`)
        if (sum !== (position * (position + 1)) / 2) says.push(`the sum of ${name} is ${sum} at ${position}`)
        // What was durable and not said has happened all the same.
        before.set(name, position)
      }
      const positions = records.map(({ position }) => position)
      if (new Set(positions).size > 1) says.push(`half of a transaction: ${positions.join(', ')}`)
      return says.map((one) => ({ rule: 'records', subject: `a kill ${phase}`, says: one }))
    },
  }
}

/** A kill is a moment of it. */
export function records({ kills, seed }: { kills: number; seed: number }): Scenario<Life> {
  const chance = random('kill records', seed)
  const parent = mkdtempSync(join(tmpdir(), 'stakewatch-kill-'))
  const [folder, marks] = [join(parent, 'storage'), join(parent, 'marks')]
  const at: Record<string, number> = {}
  let killed = 0

  async function look(): Promise<Life> {
    const phase: Phase = phases[killed % phases.length]!
    const { [phase]: most = 0 } = longest
    const instant = {
      phase,
      transaction: chance.between(1, 4),
      statement: chance.between(1, 3),
      microseconds: most === 0 ? 0 : chance.between(1, most),
    }
    killed += 1
    writeFileSync(marks, '')
    // One that is to die while it closes the file has to come to an end, and no other one.
    const rounds = phase === 'close' ? '20' : '1000000'
    const orders: Orders = { instant, marks }
    const { signal, stdout, stderr } = spawnSync(process.execPath, ['--import', preload, counter, folder, rounds], {
      encoding: 'utf8',
      killSignal: 'SIGKILL',
      ...(phase === 'any' && { timeout: Math.ceil(instant.microseconds / 2_000) }),
      env: { ...process.env, KILL_ORDERS: JSON.stringify(orders) },
    })
    const durable = new Map(
      Array.from(stdout.matchAll(/^(\w+) (\d+)$/gm), ([, name, position]) => [name!, Number(position)] as const),
    )
    const mark = readFileSync(marks, 'utf8').at(-1) ?? ''
    at[mark] = (at[mark] ?? 0) + 1
    const found: string[] = []
    const note = (_: object, message: string) => void found.push(message)
    const log = { info: note, warn: note }
    const storage = createStorage({ folder, keeper: createKeeper(folder), clock: systemClock, log })
    await storage.open()
    const memory = storage.records('memory')
    const read = NAMES.map((name) => (memory.load(name) ?? { position: 0, sum: 0 }) as Life['records'][number])
    await storage.close()
    return { instant, signal, said: stderr + found.join('; '), durable, records: read }
  }

  return {
    stage: { now: () => killed, step: async () => {}, look, end: async () => rmSync(parent, { recursive: true }) },
    disturbances: [],
    judges: [createJudge()],
    until: kills,
    every: 0,
    // By the last mark that a process made: see preload.ts.
    figures: () => ({ kills: killed, at }),
  }
}

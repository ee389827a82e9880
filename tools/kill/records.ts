// Kills a process that only writes records: many instants in little time. After each one the file is read here.

import { spawnSync } from 'node:child_process'
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { random } from '../../src/simulator/world/random.ts'
import { createKeeper } from '../../src/storage/keeper.ts'
import { createStorage } from '../../src/storage/storage.ts'
import { systemClock } from '../../src/process/system-clock.ts'
import { instantOf, type Orders, places } from './orders.ts'

const preload = new URL('preload.ts', import.meta.url).href
const counter = fileURLToPath(new URL('counter.ts', import.meta.url))

interface Options {
  kills: number
  seed: number
}

export async function killRecords({ kills, seed }: Options) {
  const chance = random('kill records', seed)
  using parent = mkdtempDisposableSync(join(tmpdir(), 'stakewatch-kill-'))
  const [folder, marks] = [join(parent.path, 'storage'), join(parent.path, 'marks')]
  const wrong: string[] = []
  const said = new Map<string, number>()
  const figures = { seed, kills: 0, saved: 0, at: {} as Record<string, number>, phases: {} as Record<string, number> }
  while (figures.kills < kills && wrong.length === 0) {
    const instant = instantOf(figures.kills, chance)
    const orders: Orders = { offset: 0, instant, marks }
    writeFileSync(marks, '')
    // One that is to die while it closes the file has to come to an end, and no other one.
    const rounds = instant.phase === 'close' ? '20' : '1000000'
    const { signal, stdout, stderr } = spawnSync(process.execPath, ['--import', preload, counter, folder, rounds], {
      encoding: 'utf8',
      killSignal: 'SIGKILL',
      ...(instant.phase === 'any' && { timeout: Math.ceil(instant.microseconds / 2_000) }),
      env: { ...process.env, KILL_ORDERS: JSON.stringify(orders) },
    })
    if (signal !== 'SIGKILL' || stderr !== '') wrong.push(`ended with ${signal}: ${stderr}`)
    for (const [, name, position] of stdout.matchAll(/^(\w+) (\d+)$/gm)) {
      said.set(name!, Number(position))
      figures.saved += 1
    }
    const where = places[readFileSync(marks, 'utf8').at(-1) ?? ''] ?? 'elsewhere'
    figures.at[where] = (figures.at[where] ?? 0) + 1
    figures.phases[instant.phase] = (figures.phases[instant.phase] ?? 0) + 1
    figures.kills += 1
    wrong.push(...(await read(folder, said)).map((what) => `after ${figures.kills} kills, ${instant.phase}: ${what}`))
  }
  return { figures, wrong }
}

/** All names are saved together, so they are equal; and at most one step ahead of what was said. */
async function read(folder: string, said: Map<string, number>): Promise<string[]> {
  const found: string[] = []
  const note = (_: object, message: string) => void found.push(message)
  const keeper = createKeeper(folder)
  const storage = createStorage({ folder, keeper, clock: systemClock, log: { info: note, warn: note } })
  await storage.open()
  const memory = storage.records('memory')
  const positions = ['a', 'b', 'c', 'd'].map((name) => {
    const { position, sum } = (memory.load(name) ?? { position: 0, sum: 0 }) as { position: number; sum: number }
    const before = said.get(name) ?? 0
    if (position < before || position > before + 1) found.push(`${name} is ${position} and was said to be ${before}`)
    if (sum !== (position * (position + 1)) / 2) found.push(`the sum of ${name} is ${sum} at ${position}`)
    // What was durable and not said has happened all the same.
    said.set(name, position)
    return position
  })
  if (new Set(positions).size !== 1) found.push(`half of a transaction: ${positions.join(', ')}`)
  await storage.close()
  return found
}

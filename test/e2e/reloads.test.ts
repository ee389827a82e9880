// Hundreds of reloads of a daemon that is scraped all the while.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { collectors } from '../../src/collectors/index.ts'
import type { Simulator } from '../../src/simulator/simulator.ts'
import { instructions } from './support/image.ts'
import type { Inside } from './support/inside.ts'
import { temporaryFolder } from './support/processes.ts'
import { configOf, network } from './support/reloading.ts'
import { program } from './support/release.ts'
import { eventually, scrape } from './support/scrape.ts'

const names = collectors.map(({ name }) => name)
/** Of each kind of task one: opinions, facts, and what is counted. Others would keep the simulated network busy. */
const ON = ['uptime', 'node-identity', 'supply', 'primary-blocks']

/** Every name has the number of the configuration in it. */
function generation(simulator: Simulator, number: number, on: readonly string[] = ON): string {
  return configOf(
    simulator,
    3,
    `collectors: { ${names.map((name) => `${name}: { enabled: ${on.includes(name)} }`).join(', ')} }\n`,
  )
    .replaceAll('name: val-', `name: g${number}-val-`)
    .replace(/{ id: (.)-chain }/g, `{ id: $1-chain, name: g${number}-$1 }`)
}

const broken = (text: string) => `${text}no_such_key: 1\n`

const numbersIn = (text: string) => new Set(Array.from(text.matchAll(/"g(\d+)-/g), ([, number]) => Number(number)))

const [RELOADS, WARM_UP, CLIENTS] = [200, 120, 20]
/** From one scrape of a client to the next (milliseconds). */
const INTERVAL = 100

/** What the image sets. */
const environment = Object.fromEntries(
  instructions(readFileSync('Dockerfile', 'utf8')).flatMap(([word, rest]) =>
    word === 'ENV' ? [rest.split('=', 2) as [string, string]] : [],
  ),
)

test(`${RELOADS} reloads, a third of them refused, while ${CLIENTS} clients scrape: no scrape fails or is mixed, and nothing is left over`, async () => {
  const simulator = await network()
  const { path, remove } = await temporaryFolder()
  onTestFinished(remove)
  const file = join(path, 'stakewatch.yml')
  writeFileSync(join(path, 'key'), 'any')
  writeFileSync(file, generation(simulator, 0))
  const preload = new URL('support/inside.ts', import.meta.url).href
  const flags = [`--config.file=${file}`, '--web.listen-address=127.0.0.1:0', '--web.enable-lifecycle']
  const child = spawn(process.execPath, ['--expose-gc', '--import', preload, program, ...flags], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, ...environment },
  })
  let log = ''
  child.stderr!.setEncoding('utf8').on('data', (more: string) => (log += more))
  onTestFinished(async () => {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  })
  const address = await eventually('it listens', async () => /address=(\S+)/.exec(log)?.[1])
  const url = `http://${address}`
  async function inside(): Promise<readonly [Inside, Inside]> {
    const answer = once(child, 'message')
    child.send('look')
    return ((await answer) as [[Inside, Inside]])[0]
  }
  /** No client, and no request to an upstream, is under way. */
  const quiet = () =>
    eventually('quiet', async () => {
      const seen = await inside()
      return seen.every(({ active }) => !('TCPSocketWrap' in active)) && seen
    })
  /** What is left when nothing is polled: no run waits for a budget then, and has a timer for that. */
  async function atRest() {
    current = sequence += 1
    writeFileSync(file, generation(simulator, sequence, []))
    const { status } = await fetch(`${url}/-/reload`, { method: 'POST' })
    if (status !== 200) failures.push(`reload ${sequence}, to poll nothing: ${status}`)
    return quiet()
  }

  let current = 0
  let sequence = 0
  const scraping = { isOver: false }
  const failures: string[] = []
  let scrapes = 0
  async function client(): Promise<void> {
    while (!scraping.isOver) {
      const least = current
      const answer = await fetch(`${url}/metrics`).catch((error: unknown) => String(error))
      if (typeof answer === 'string' || answer.status !== 200) {
        failures.push(`a scrape failed: ${typeof answer === 'string' ? answer : answer.status}`)
        continue
      }
      scrapes += 1
      const numbers = [...numbersIn(await answer.text())]
      await wait(INTERVAL)
      // What was taken before the request began is the least that it may show.
      if (numbers.length !== 1 || numbers[0]! < least)
        failures.push(`after ${least} a scrape shows ${numbers.join(' and ')}`)
    }
  }
  async function reloads(times: number): Promise<void> {
    scraping.isOver = false
    const clients = Array.from({ length: CLIENTS }, client)
    for (let time = 0; time < times; time += 1) {
      sequence += 1
      const text = generation(simulator, sequence)
      const isBroken = time % 3 === 1
      writeFileSync(file, isBroken ? broken(text) : text)
      const { status } = await fetch(`${url}/-/reload`, { method: 'POST' })
      if (status !== (isBroken ? 500 : 200)) failures.push(`reload ${sequence}: ${status}`)
      if (!isBroken) current = sequence
    }
    scraping.isOver = true
    await Promise.all(clients)
  }

  await eventually('it has begun', async () => numbersIn(await scrape(`${url}/metrics`)).size === 1)
  await reloads(WARM_UP)
  const [before, beforeAtRest] = [await quiet(), await atRest()]
  scrapes = 0
  await reloads(RELOADS)
  const [after, afterAtRest] = [await quiet(), await atRest()]
  expect(failures).toEqual([])
  expect(scrapes).toBeGreaterThan(RELOADS)
  const held = (seen: readonly Inside[]) => seen.map(({ active, listeners }) => ({ active, listeners }))
  const withoutTimers = (seen: readonly Inside[]) =>
    held(seen).map(({ active: { Timeout: _, ...handles }, listeners }) => ({ handles, listeners }))
  const timers = (seen: readonly Inside[]) => seen.reduce((sum, { active }) => sum + (active['Timeout'] ?? 0), 0)
  expect(withoutTimers(after)).toEqual(withoutTimers(before))
  // Runs may wait for the budgets of the three upstreams: then each of these has a timer.
  expect(timers(after)).toBeLessThanOrEqual(timers(before) + 3)
  expect(held(afterAtRest)).toEqual(held(beforeAtRest))
  const growth = after[0].rss / before[0].rss
  expect(growth).toBeLessThan(1.05)
})

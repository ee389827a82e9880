// A daemon of two threads whose configuration is read again: on SIGHUP, over HTTP, and when a file has changed.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { collectors } from '../../src/collectors/index.ts'
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts'
import type { Inside } from './support/inside.ts'
import { stakewatch, temporaryFolder } from './support/processes.ts'
import { eventually, scrape, seriesOf, valueOf } from './support/scrape.ts'

async function network(): Promise<Simulator> {
  const simulator = await startSimulator({
    seed: 1,
    epoch: Math.floor(Date.now() / 1_000),
    clock: () => performance.now() / 1_000,
    validators: 20,
    delegations: 40,
  })
  onTestFinished(() => simulator.stop())
  return simulator
}

/** One collector with a task for each node, and one that counts blocks. */
function configOf({ nodes, dataUrl, world }: Simulator, validators: number, more = ''): string {
  const tracked = [...world.validators.all.keys()].slice(2, 2 + validators)
  return `networks:
  - name: fuji
    nodes: [${nodes.map(({ name, url }) => `{ name: ${name}, url: "${url}" }`).join(', ')}]
    data_api: { url: "${dataUrl}", key_file: key }
    validators: [${tracked.map((id, at) => `{ node_id: ${id}, name: val-${at + 1} }`).join(', ')}]
    chains: [{ id: x-chain }, { id: c-chain }]
${more}`
}

async function daemon(simulator: Simulator, ...flags: readonly string[]) {
  const { path, remove } = await temporaryFolder()
  onTestFinished(remove)
  const write = (text: string) => writeFileSync(join(path, 'stakewatch.yml'), text)
  const writeKey = (key: string) => writeFileSync(join(path, 'key'), key)
  writeKey('first')
  write(configOf(simulator, 1))
  const running = stakewatch(
    `--config.file=${join(path, 'stakewatch.yml')}`,
    '--web.listen-address=127.0.0.1:0',
    ...flags,
  )
  onTestFinished(async () => void (await running.end()))
  const url = `http://${await running.said(/msg=listening address=(\S+)/)}`
  const metrics = () => scrape(`${url}/metrics`)
  const until = (what: string, holds: (text: string) => boolean) =>
    eventually(what, async () => {
      const text = await metrics()
      return holds(text) && text
    })
  return { running, url, write, writeKey, metrics, until }
}

const tracked = (text: string) =>
  seriesOf(text, 'stakewatch_validator_tracked').map(({ labels }) => labels['validator'])
const uptimes = (text: string) =>
  seriesOf(text, 'stakewatch_validator_uptime_ratio').map(({ labels }) => `${labels['validator']} ${labels['source']}`)
const runs = (text: string, collector: string) =>
  seriesOf(text, 'stakewatch_collector_runs_total', { collector, result: 'success' }).map(({ value }) => value)

describe('SIGHUP', () => {
  test('a validator that is added has series, and what was counted goes on', async () => {
    const simulator = await network()
    const { running, write, until } = await daemon(simulator)
    const before = await until(
      'all has been polled',
      (text) =>
        uptimes(text).length === 2 &&
        runs(text, 'primary-blocks').every((count) => count === 1) &&
        runs(text, 'primary-blocks').length === 2,
    )
    expect(tracked(before)).toEqual(['val-1'])
    const requests = (text: string) =>
      valueOf(text, 'stakewatch_upstream_requests_total', {
        source: 'node-a',
        operation: 'platform.getCurrentValidators',
        code: 'ok',
      })!

    write(configOf(simulator, 2))
    running.signal('SIGHUP')
    const after = await until('the second one has series', (text) => uptimes(text).length === 4)
    expect(tracked(after)).toEqual(['val-1', 'val-2'])
    // A run of each chain from the start: their tasks are the same as before.
    expect(runs(after, 'primary-blocks')).toEqual([1, 1])
    expect(requests(after)).toBeGreaterThan(requests(before))
    // The tasks of uptime have one more run, and count on.
    expect(runs(after, 'uptime')).toEqual([2, 2])
    const line = running
      .stderr()
      .split('\n')
      .find((one) => one.includes('the configuration is reloaded'))
    expect(line).toMatch(/\btrigger=SIGHUP\b/)
    expect(line).toMatch(/\bremoved=0\b/)
  })
})

describe('POST /-/reload', () => {
  test('takes a new key from its file, and refuses a mistake without a word of the file', async () => {
    const simulator = await network()
    const { running, url, write, writeKey, metrics } = await daemon(simulator, '--web.enable-lifecycle')
    const reload = async () => {
      const answer = await fetch(`${url}/-/reload`, { method: 'POST' })
      return [answer.status, await answer.text()] as const
    }
    writeKey(SECRETS[0])
    const [status, text] = await reload()
    // All that asks the data service; the nodes are asked for uptime and the like without it.
    expect([status, text]).toEqual([
      200,
      expect.stringMatching(
        /^The configuration is reloaded\. Tasks: [1-9]\d* go on, [1-9]\d* begin anew, 0 are new, 0 are gone\.\n$/,
      ),
    ])
    write(`${configOf(simulator, 1)}${SECRETS[1]}: 1\ndefaults: { ttl: ${SECRETS[2]} }\n`)
    const [refused, why] = await reload()
    expect(refused).toBe(500)
    expect(why).toMatch(/stakewatch\.yml:\d+:\d+: .*defaults\.ttl: expected a number/s)
    const shown = await metrics()
    expect(valueOf(shown, 'stakewatch_config_last_reload_successful')).toBe(0)
    expect(tracked(shown)).toEqual(['val-1'])
    // The name of a key that does not exist is told, or nobody would find the mistake.
    for (const secret of [SECRETS[0], SECRETS[2]]) expect(why + shown + running.stderr()).not.toContain(secret)
  })

  test('is 403 without the flag', async () => {
    const simulator = await network()
    const { url, write, metrics } = await daemon(simulator)
    write(configOf(simulator, 2))
    expect((await fetch(`${url}/-/reload`, { method: 'POST' })).status).toBe(403)
    expect(tracked(await metrics())).not.toContain('val-2')
  })
})

/** Of a key in a file, of a key of the configuration, and of a value. */
const SECRETS = ['hunter2-in-a-file', 'unknown_key', 'hunter2-as-a-value'] as const

test('a file that has changed is read by itself, where a flag says so', async () => {
  const simulator = await network()
  const { write, until } = await daemon(simulator, '--config.enable-auto-reload', '--config.auto-reload-interval=1s')
  await until('it has begun', (text) => tracked(text).length === 1)
  write(configOf(simulator, 2))
  await until('the second validator is watched', (text) => tracked(text).length === 2)
  write(`${configOf(simulator, 1)}nonsense: 1\n`)
  const refused = await until(
    'it is refused',
    (text) => valueOf(text, 'stakewatch_config_last_reload_successful') === 0,
  )
  expect(tracked(refused)).toEqual(['val-1', 'val-2'])
  write(configOf(simulator, 1))
  const taken = await until('it is taken', (text) => valueOf(text, 'stakewatch_config_last_reload_successful') === 1)
  expect(tracked(taken)).toEqual(['val-1'])
})

const names = collectors.map(({ name }) => name)
/** Of each kind of task one: opinions, facts, and what is counted. Others would keep the simulated network busy. */
const ON = ['uptime', 'node-identity', 'supply', 'primary-blocks']

/** Every name has the number of the configuration in it. */
function generation(simulator: Simulator, number: number): string {
  return configOf(
    simulator,
    3,
    `collectors: { ${names.map((name) => `${name}: { enabled: ${ON.includes(name)} }`).join(', ')} }\n`,
  )
    .replaceAll('name: val-', `name: g${number}-val-`)
    .replace(/{ id: (.)-chain }/g, `{ id: $1-chain, name: g${number}-$1 }`)
}

const broken = (text: string) => `${text}no_such_key: 1\n`

const numbersIn = (text: string) => new Set(Array.from(text.matchAll(/"g(\d+)-/g), ([, number]) => Number(number)))

const [RELOADS, WARM_UP, CLIENTS] = [200, 120, 20]
/** From one scrape of a client to the next (milliseconds). */
const INTERVAL = 100

test(
  `${RELOADS} reloads, a third of them refused, while ${CLIENTS} clients scrape: no scrape fails or is mixed, and nothing is left over`,
  { timeout: 180_000 },
  async () => {
    const simulator = await network()
    const { path, remove } = await temporaryFolder()
    onTestFinished(remove)
    const file = join(path, 'stakewatch.yml')
    writeFileSync(join(path, 'key'), 'any')
    writeFileSync(file, generation(simulator, 0))
    const preload = new URL('support/inside.ts', import.meta.url).href
    const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
    const flags = [`--config.file=${file}`, '--web.listen-address=127.0.0.1:0', '--web.enable-lifecycle']
    const child = spawn(process.execPath, ['--expose-gc', '--import', preload, main, ...flags], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let log = ''
    child.stderr!.setEncoding('utf8').on('data', (more: string) => (log += more))
    onTestFinished(async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    })
    const address = await eventually('it listens', async () => /address=(\S+)/.exec(log)?.[1], 30)
    const url = `http://${address}`
    async function inside(): Promise<readonly [Inside, Inside]> {
      const answer = once(child, 'message')
      child.send('look')
      return ((await answer) as [[Inside, Inside]])[0]
    }
    /** No client, and no request to an upstream, is under way. */
    const quiet = () =>
      eventually(
        'quiet',
        async () => {
          const seen = await inside()
          return seen.every(({ active }) => !('TCPSocketWrap' in active)) && seen
        },
        60,
      )

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

    await eventually('it has begun', async () => numbersIn(await scrape(`${url}/metrics`)).size === 1, 30)
    await reloads(WARM_UP)
    const before = await quiet()
    scrapes = 0
    await reloads(RELOADS)
    const after = await quiet()
    expect(failures).toEqual([])
    expect(scrapes).toBeGreaterThan(RELOADS)
    const held = (seen: readonly Inside[]) =>
      seen.map(({ active: { Timeout: _, ...handles }, listeners }) => ({ handles, listeners }))
    const timers = (seen: readonly Inside[]) => seen.reduce((sum, { active }) => sum + (active['Timeout'] ?? 0), 0)
    expect(held(after)).toEqual(held(before))
    // Runs may wait for the budgets of the three upstreams: then each of these has a timer.
    expect(timers(after)).toBeLessThanOrEqual(timers(before) + 3)
    const growth = after[0].rss / before[0].rss
    expect(growth).toBeLessThan(1.05)
  },
)

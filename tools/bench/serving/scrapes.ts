// Scrapes per second, ours against a bare server of the same bytes and against prom-client, which renders for each scrape.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isInstalled, pinned, start, type Started } from '../process.ts'
import type { Effort, Measured, Row, Target } from '../row.ts'
import { scrape, startDaemon } from './daemons.ts'

/** `uptime` and `validators` publish 9 and 11 series of a validator. */
export const COLLECTORS = ['uptime', 'validators'] as const
export const SERIES_EACH = 20

/** All servers on one core, the load on the other one. */
const SERVER = 0
const CLIENT = 1

const encodings = { plain: 'identity', gzip: 'gzip' } as const
type Encoding = keyof typeof encodings

const CONNECTIONS = 4
/** prom-client takes seconds for a large one: no request of it is given up. */
const TIMEOUT = '120s'

async function wrk(url: string, encoding: Encoding, seconds: number): Promise<number> {
  const load = ['wrk', '-t', '1', '-c', String(CONNECTIONS), '-d', `${seconds}s`, '--timeout', TIMEOUT]
  const command = pinned([...load, '-H', `Accept-Encoding: ${encodings[encoding]}`, url], CLIENT)
  const child = spawn(command[0]!, command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] })
  const said = await text(child.stdout)
  const [, perSecond] = /^Requests\/sec:\s+([\d.]+)$/m.exec(said) ?? []
  if (perSecond === undefined || /Non-2xx/.test(said)) throw new Error(`wrk said: ${said}`)
  // Not a single one was through.
  return Number(perSecond) || wrk(url, encoding, 2 * seconds)
}

interface Plan {
  rounds: number
  seconds: number
  /** Of prom-client. */
  slowSeconds: number
}

const plans: Readonly<Record<Effort, Readonly<Record<number, Plan | undefined>>>> = {
  full: {
    24_000: { rounds: 5, seconds: 5, slowSeconds: 8 },
    240_000: { rounds: 3, seconds: 5, slowSeconds: 20 },
  },
  quick: { 24_000: { rounds: 1, seconds: 1, slowSeconds: 2 } },
}

type Server = 'ours' | 'static' | 'prom-client'
type Rates = Readonly<Record<Encoding, Readonly<Record<Server, number[]>>>>

async function startAll(series: number, folder: string) {
  const ours = await startDaemon({
    validators: series / SERIES_EACH,
    collectors: COLLECTORS,
    // Between polls: what a poll does to scrapes is measured by another row.
    every: '20m',
    cores: { daemon: SERVER, node: CLIENT },
    series,
  })
  const [plain, compressed] = [join(folder, 'plain'), join(folder, 'compressed')]
  writeFileSync(plain, (await scrape(ours.url, { 'accept-encoding': 'identity' })).body)
  writeFileSync(compressed, (await scrape(ours.url, { 'accept-encoding': 'gzip' })).body)
  const others: Started[] = [
    await start(new URL('static.ts', import.meta.url), [plain, compressed], { core: SERVER }),
    await start(new URL('prom-client.ts', import.meta.url), [plain], { core: SERVER }),
  ]
  const urls: Readonly<Record<Server, string>> = {
    ours: ours.url,
    static: others[0]!.said['url']!,
    'prom-client': others[1]!.said['url']!,
  }
  const end = async () => void (await Promise.all([ours.end(), ...others.map((one) => one.end())]))
  return { urls, end }
}

/** In each round all servers, in turn; the round before the first one is thrown away. */
async function rates(series: number, { rounds, seconds, slowSeconds }: Plan): Promise<Rates> {
  const folder = mkdtempSync(join(tmpdir(), 'stakewatch-bench-'))
  const { urls, end } = await startAll(series, folder)
  const none = (): Record<Server, number[]> => ({ ours: [], static: [], 'prom-client': [] })
  const found = { plain: none(), gzip: none() }
  for (let round = 0; round <= rounds; round += 1) {
    const order = Object.entries(urls) as [Server, string][]
    if (round % 2 === 1) order.reverse()
    for (const encoding of Object.keys(encodings) as Encoding[]) {
      for (const [server, url] of order) {
        const took = round === 0 ? 1 : server === 'prom-client' ? slowSeconds : seconds
        const rate = await wrk(url, encoding, took)
        if (round > 0) found[encoding][server].push(rate)
      }
    }
  }
  await end()
  rmSync(folder, { recursive: true })
  return found
}

const measurements = new Map<Plan, Promise<Rates>>()

async function measure(series: number, encoding: Encoding, against: Server, effort: Effort): Promise<Measured> {
  if (!isInstalled('wrk')) return { leftOut: 'wrk is not installed: apt-get install wrk' }
  const plan = plans[effort][series]
  if (!plan) return { leftOut: 'only in the full run' }
  // All rows of one number of series come from the same rounds.
  if (!measurements.has(plan)) measurements.set(plan, rates(series, plan))
  const { ours, [against]: theirs } = (await measurements.get(plan)!)[encoding]
  return { runs: ours.map((rate, round) => rate / theirs[round]!) }
}

const compared: readonly [series: number, encoding: Encoding, against: Server, target: Target][] = [
  [24_000, 'plain', 'static', { least: 0.9 }],
  [24_000, 'gzip', 'static', { least: 0.8 }],
  [24_000, 'plain', 'prom-client', { least: 80 }],
  [24_000, 'gzip', 'prom-client', { least: 800 }],
  [240_000, 'plain', 'prom-client', { least: 80 }],
  [240_000, 'gzip', 'prom-client', { least: 800 }],
]

export const scrapeRows: readonly Row[] = compared.map(([series, encoding, against, target]) => ({
  name: `scrape-${encoding}-${series}-${against}`,
  target,
  unit: 'ratio',
  measure: (effort) => measure(series, encoding, against, effort),
}))

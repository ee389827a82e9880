// Scrapes per second as users make them, while the daemon polls and no process is kept to a core: ours against a bare server of
// the same bytes.

import { spawn } from 'node:child_process'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { entryOf } from '../../../src/lib/entry.ts'
import { isInstalled, start } from '../process.ts'
import type { Measured, Row } from '../row.ts'
import { scrape, startDaemon } from './daemons.ts'

/** `uptime` and `validators` publish 9 and 11 series of a validator. */
export const COLLECTORS = ['uptime', 'validators'] as const
export const SERIES_EACH = 20

const encodings = { plain: 'identity', gzip: 'gzip' } as const
type Encoding = keyof typeof encodings

const CONNECTIONS = 4

async function wrk(url: string, encoding: Encoding, seconds: number): Promise<number> {
  const load = ['-t', '1', '-c', String(CONNECTIONS), '-d', `${seconds}s`]
  const args = [...load, '-H', `Accept-Encoding: ${encodings[encoding]}`, url]
  const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const said = await text(child.stdout)
  const [, perSecond] = /^Requests\/sec:\s+([\d.]+)$/m.exec(said) ?? []
  if (perSecond === undefined || /Non-2xx/.test(said)) throw new Error(`wrk said: ${said}`)
  return Number(perSecond)
}

const ROUNDS = 5
const SECONDS = 10

type Server = 'ours' | 'static'
type Rates = Readonly<Record<Encoding, Readonly<Record<Server, number[]>>>>

async function startAll(folder: string, validators: number) {
  const ours = await startDaemon({
    validators,
    collectors: COLLECTORS,
    every: '10s',
    series: validators * SERIES_EACH,
  })
  const [plain, compressed] = [join(folder, 'plain'), join(folder, 'compressed')]
  writeFileSync(plain, (await scrape(ours.url, { 'accept-encoding': 'identity' })).body)
  writeFileSync(compressed, (await scrape(ours.url, { 'accept-encoding': 'gzip' })).body)
  const other = await start(new URL('static.ts', import.meta.url), [plain, compressed])
  const urls: Readonly<Record<Server, string>> = { ours: ours.url, static: `${other.said['url']}/metrics` }
  return { urls, end: async () => void (await Promise.all([ours.end(), other.end()])) }
}

/** In each round all servers, in turn; the round before the first one is thrown away. */
async function rates(validators: number): Promise<Rates> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'stakewatch-bench-'))
  const { urls, end } = await startAll(folder.path, validators)
  const none = (): Record<Server, number[]> => ({ ours: [], static: [] })
  const found = { plain: none(), gzip: none() }
  for (let round = 0; round <= ROUNDS; round += 1) {
    const order = Object.entries(urls) as [Server, string][]
    if (round % 2 === 1) order.reverse()
    for (const encoding of Object.keys(encodings) as Encoding[]) {
      for (const [server, url] of order) {
        const rate = await wrk(url, encoding, round === 0 ? 1 : SECONDS)
        if (round > 0) found[encoding][server].push(rate)
      }
    }
  }
  await end()
  return found
}

const measurements = new Map<number, Promise<Rates>>()

async function measure(encoding: Encoding, validators: number): Promise<Measured> {
  if (!isInstalled('wrk')) return { leftOut: 'wrk is not installed: apt-get install wrk' }
  // Rows of one size come from the same rounds.
  const found = entryOf(measurements, validators, async () => rates(validators))
  const { ours, static: theirs } = (await found)[encoding]
  return { runs: ours.map((rate, round) => rate / theirs[round]!) }
}

export const scrapeRows: readonly Row[] = [1_500, 20_000].flatMap((validators) =>
  (Object.keys(encodings) as Encoding[]).map((encoding) => ({
    name: `scrape-${encoding}-${validators}-static`,
    target: { least: 0.85 },
    unit: 'ratio',
    measure: async () => measure(encoding, validators),
  })),
)

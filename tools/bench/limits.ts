// The limits of speed and size: the release build as an operator runs it, in the environment of the image. Nothing is pinned to a
// core, and everything is polled every ten seconds. They need an idle machine and about twenty minutes.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { collectors } from '../../src/collectors/index.ts'
import { entryOf } from '../../src/lib/entry.ts'
import { env, flags } from './process.ts'
import { quantile, type Row } from './row.ts'
import { benchValidators } from './validators.ts'

const RELEASE = new URL('../../bin/stakewatch.cjs', import.meta.url)
const BUNDLE = new URL('../../dist/main.js', import.meta.url)
const NODE = new URL('node.ts', import.meta.url)
const STATIC = new URL('static.ts', import.meta.url)

interface Running extends AsyncDisposable {
  child: ChildProcess
  /** What the group of the pattern matched in its output, as soon as it is there. */
  printed(what: RegExp): Promise<string>
  /** Resident memory: bytes. */
  rss(): number
  /** CPU so far, of all threads: seconds. */
  cpu(): number
}

/** Of Linux, which reports CPU in them to every program. */
const TICKS_PER_SECOND = 100

/** Files and flags for Node.js. */
function run(...args: readonly (string | URL)[]): Running {
  const words = args.map((arg) => (typeof arg === 'string' ? arg : fileURLToPath(arg)))
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  const gone = once(child, 'exit')
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text))
  const ofProcess = (name: string) => readFileSync(`/proc/${child.pid}/${name}`, 'utf8')
  return {
    child,
    async printed(what) {
      for (;;) {
        const [, found] = what.exec(printed) ?? []
        if (found !== undefined) return found
        if (child.exitCode !== null) throw new Error(`it ended: ${printed}`)
        await wait(1)
      }
    },
    rss: () => 1_024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(ofProcess('status'))![1]),
    cpu() {
      const [user, system] = ofProcess('stat').split(') ')[1]!.split(' ').slice(11, 13).map(Number)
      return (user! + system!) / TICKS_PER_SECOND
    },
    async [Symbol.asyncDispose]() {
      child.kill()
      await gone
    },
  }
}

const bareNode = () => run('-e', 'setInterval(() => {}, 1_000)')

interface Scrape {
  body: Buffer
  milliseconds: number
}

/** `due`: when it should have begun; a client that waited would not see what a pause does to those who come meanwhile. */
async function scrape(url: string, encoding: 'identity' | 'gzip', due = performance.now()): Promise<Scrape> {
  const { promise, resolve, reject } = Promise.withResolvers<Scrape>()
  get(url, { agent: false, headers: { 'accept-encoding': encoding } }, (response) => {
    void buffer(response).then((body) => resolve({ body, milliseconds: performance.now() - due }), reject)
  }).on('error', reject)
  return promise
}

/** Two collectors have 20 series of each validator. */
const COLLECTORS = ['uptime', 'validators']
const SERIES_EACH = 20

const configOf = (node: string, validators: number) => `networks:
  - name: mainnet
    nodes: [{ name: node-a, url: "${node}" }]
    validators:
${benchValidators(validators)
  .map(({ nodeId, name }) => `      - { node_id: ${nodeId}, name: ${name} }`)
  .join('\n')}
collectors:
${collectors.map(({ name }) => `  ${name}: ${COLLECTORS.includes(name) ? '{ enabled: true, max_series: 10000000, every: 10s }' : '{ enabled: false }'}`).join('\n')}
`

interface Watching extends AsyncDisposable {
  daemon: Running
  /** When the daemon was started: milliseconds. */
  began: number
  url: string
  folder: string
}

async function watching(validators: number): Promise<Watching> {
  if (!existsSync(BUNDLE)) throw new Error('there is no release build: npm run build')
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(mkdtempDisposableSync(join(tmpdir(), 'stakewatch-bench-'))).path
  const node = stack.use(run(NODE, String(validators)))
  const config = join(folder, 'stakewatch.yml')
  writeFileSync(config, configOf(await node.printed(/(\S+)\n/), validators))
  const args = [RELEASE, `--config.file=${config}`, '--web.listen-address=127.0.0.1:0']
  const began = performance.now()
  const daemon = stack.use(run(...flags, ...args))
  const url = `http://${await daemon.printed(/msg=listening address=(\S+)/)}/metrics`
  const held = stack.move()
  return { daemon, began, url, folder, [Symbol.asyncDispose]: () => held.disposeAsync() }
}

/** Waits until everything has been polled. Throws when something could not be. */
async function firstComplete({ daemon, url }: Watching, least: number): Promise<void> {
  await daemon.printed(/msg="(every task has been attempted)"/)
  const { body } = await scrape(url, 'identity')
  const series = body.toString().match(/^stakewatch_validator_/gm)?.length ?? 0
  if (series < least) throw new Error(`there are ${series} series of validators, and not ${least}`)
}

const STARTS = 15

/** Time from the start to the first complete `/metrics`: the release / `node -e 0`. */
async function startRatios(): Promise<number[]> {
  const ratios: number[] = []
  // The first of each reads its files from the disk.
  for (let at = -1; at < STARTS; at += 1) {
    const began = performance.now()
    await once(run('-e', '0').child, 'exit')
    const bare = performance.now() - began
    await using one = await watching(1)
    await firstComplete(one, 1)
    if (at >= 0) ratios.push((performance.now() - one.began) / bare)
  }
  return ratios
}

const ROUND = 10
const ROUNDS = 6
const SCRAPES = 120
const LOADS = 5
const LOAD_SECONDS = 5

interface Figures {
  /** RSS while it is polled, once in each round: the release / a bare node. */
  memory: number[]
  /** CPU of each round: seconds. */
  cpu: number[]
  /** Of gzip scrapes, one a second: milliseconds. */
  latency: number[]
  /** Scrapes per second: the release / a static server of the same bytes. */
  identity: number[]
  gzip: number[]
}

async function loaded(url: string, encoding: string): Promise<number> {
  const args = ['-t', '1', '-c', '4', '-d', `${LOAD_SECONDS}s`, '-H', `Accept-Encoding: ${encoding}`, url]
  const { stdout } = await promisify(execFile)('wrk', args)
  const [, perSecond] = /^Requests\/sec:\s+([\d.]+)$/m.exec(stdout) ?? []
  if (perSecond === undefined || /Non-2xx/.test(stdout)) throw new Error(`wrk printed: ${stdout}`)
  return Number(perSecond)
}

async function watch(validators: number): Promise<Figures> {
  const found: Figures = { memory: [], cpu: [], latency: [], identity: [], gzip: [] }
  await using one = await watching(validators)
  const { daemon, url, folder } = one
  await firstComplete(one, validators * SERIES_EACH - 1)
  await using bare = bareNode()
  // Until what the start needed has been collected.
  await wait(6 * ROUND * 1_000)
  for (let at = 0; at < ROUNDS; at += 1) {
    const before = daemon.cpu()
    await wait(ROUND * 1_000)
    found.cpu.push(daemon.cpu() - before)
    found.memory.push(daemon.rss() / bare.rss())
  }
  const began = performance.now()
  const scrapes = Array.from({ length: SCRAPES }, async (_, at) => {
    const due = began + at * 1_000
    await wait(Math.max(0, due - performance.now()))
    // A timer that fires late is the client's own delay.
    return scrape(url, 'gzip', Math.max(due, performance.now()))
  })
  for (const { milliseconds } of await Promise.all(scrapes)) found.latency.push(milliseconds)
  const files = ['identity', 'gzip'].map((encoding) => join(folder, encoding))
  writeFileSync(files[0]!, (await scrape(url, 'identity')).body)
  writeFileSync(files[1]!, (await scrape(url, 'gzip')).body)
  await using server = run(STATIC, ...files)
  const other = await server.printed(/(\S+)\n/)
  for (let at = 0; at < LOADS; at += 1) {
    for (const encoding of ['identity', 'gzip'] as const) {
      const [first, second] = at % 2 === 0 ? [url, other] : [other, url]
      const rates = new Map([
        [first, await loaded(first, encoding)],
        [second, await loaded(second, encoding)],
      ])
      found[encoding].push(rates.get(url)! / rates.get(other)!)
    }
  }
  return found
}

const watched = new Map<number, Promise<Figures>>()

function rowsOf(validators: number, most: { memory: number; cpu: number; latency: number }): Row[] {
  const figures = () => entryOf(watched, validators, () => watch(validators))
  const name = (what: string) => `${what}-${validators}-validators`
  return [
    { name: name('memory'), target: { most: most.memory }, measure: async () => (await figures()).memory },
    { name: name('cpu-of-a-round'), target: { most: most.cpu }, measure: async () => (await figures()).cpu },
    {
      name: name('latency-p99'),
      target: { most: most.latency },
      measure: async () => [quantile((await figures()).latency, 0.99)],
    },
    { name: name('scrape-plain'), target: { least: 0.85 }, measure: async () => (await figures()).identity },
    { name: name('scrape-gzip'), target: { least: 0.85 }, measure: async () => (await figures()).gzip },
  ]
}

export const limits: readonly Row[] = [
  { name: 'start', target: { most: 12 }, measure: startRatios },
  { name: 'memory-idle', target: { most: 2.6 }, measure: async () => (await watch(1)).memory },
  ...rowsOf(1_500, { memory: 3.8, cpu: 0.3, latency: 100 }),
  ...rowsOf(20_000, { memory: 12, cpu: 3.5, latency: 2_000 }),
]

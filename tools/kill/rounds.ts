// Lives and deaths on one folder, against one simulated network.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collectors } from '../../src/collectors/index.ts'
import { startSimulator } from '../../src/simulator/simulator.ts'
import { random } from '../../src/simulator/world/random.ts'
import { live } from './life.ts'
import { instantOf, places } from './orders.ts'
import { counting, differences, watchedOf } from './truth.ts'

const EPOCH = 1_780_000_000
/** All counters are compared with those of the network after this many kills. */
const COMPARED = 25

interface Options {
  kills: number
  seed: number
  progress: (text: string) => void
}

export async function kill({ kills, seed, progress }: Options) {
  const chance = random('kill', seed)
  const time = createTime()
  const simulator = await startSimulator({
    seed,
    epoch: EPOCH,
    clock: time.now,
    validators: 20,
    delegations: 40,
    dialect: 'live',
  })
  const folder = mkdtempSync(join(tmpdir(), 'stakewatch-kill-'))
  const config = join(folder, 'config.yaml')
  const enabled = collectors.map(({ name }) => [
    name,
    counting.includes(name) ? { enabled: true, every: '10s' } : { enabled: false },
  ])
  const settings = { networks: [watchedOf(simulator)], collectors: Object.fromEntries(enabled) as object }
  writeFileSync(config, JSON.stringify(settings))
  const wrong: string[] = []
  const highest = new Map<string, number>()
  const place = {
    folder: join(folder, 'storage'),
    config,
    offset: () => Math.round((EPOCH + time.now()) * 1_000 - Date.now()),
    intruded: (web: string) =>
      void wrong.push(`without a password it answered, where the file was ${JSON.stringify(web)}`),
    scraped(text: string) {
      for (const [series, value] of countersOf(text)) {
        const before = highest.get(series) ?? 0
        if (value < before) wrong.push(`fell from ${before} to ${value}: ${series}`)
        highest.set(series, Math.max(before, value))
      }
    },
  }
  const figures = { seed, kills: 0, scrapes: 0, compared: 0, series: 0, at: {} as Record<string, number> }

  /** The network halts until everything of it is counted. */
  async function compare(): Promise<void> {
    // Another minute, with a new allowance of requests.
    time.pass(60)
    time.stop()
    let found = ['nothing was scraped']
    const { log } = await live(place, undefined, async (text) => {
      found = text.includes('stakewatch_chain_blocks_total') ? await differences(text, simulator, EPOCH) : found
      return found.length === 0
    })
    figures.compared += 1
    if (found.length > 0) wrong.push(`after ${figures.kills} kills: ${found.join('; ')}`, log)
    time.go()
  }

  try {
    time.stop()
    // Puts the cursors.
    await live(place, undefined, async (text, log) => isComplete(text, log))
    for (let round = 0; figures.kills < kills; round += 1) {
      time.go()
      time.pass(chance.between(10, 40))
      const instant = instantOf(round, chance)
      const { signal, scrapes, mark, log } = await live(place, instant)
      if (signal !== 'SIGKILL') {
        // On a machine that is very busy it may be given up before it closes the file: that is no kill.
        if (instant.phase !== 'close') wrong.push(`ended by itself: ${log}`)
        continue
      }
      if (/set aside|left out|does not work/.test(log)) wrong.push(`after ${figures.kills} kills: ${log}`)
      const where = places[mark] ?? mark
      figures.at[where] = (figures.at[where] ?? 0) + 1
      figures.kills += 1
      figures.scrapes += scrapes
      if (figures.kills % COMPARED === 0 || figures.kills === kills) {
        await compare()
        progress(JSON.stringify({ ...figures, wrong: wrong.length }))
      }
      if (wrong.length > 0) break
    }
    figures.series = highest.size
    return { figures, wrong }
  } finally {
    await simulator.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Seconds of the network, which halts, goes as the machine's time, or leaps. */
function createTime() {
  let passed = 0
  let since: number | undefined
  const now = () => passed + (since === undefined ? 0 : (performance.now() - since) / 1_000)
  const stop = () => {
    passed = now()
    since = undefined
  }
  return {
    now,
    stop,
    go() {
      stop()
      since = performance.now()
    },
    pass: (seconds: number) => void (passed += seconds),
  }
}

const names = new Set(
  collectors
    .filter(({ name }) => counting.includes(name))
    .flatMap(({ metrics }) => metrics)
    .flatMap(({ name, type }) => {
      if (type === 'histogram') return [`${name}_bucket`, `${name}_sum`, `${name}_count`]
      return type === 'counter' ? [name] : []
    }),
)

function countersOf(text: string): [string, number][] {
  return text.split('\n').flatMap((line): [string, number][] => {
    const at = line.lastIndexOf(' ')
    const name = /^\w+/.exec(line)?.[0] ?? ''
    return names.has(name) ? [[line.slice(0, at), Number(line.slice(at + 1))]] : []
  })
}

/** Every task has run, and none has failed. */
function isComplete(text: string, log: string): boolean {
  const runs = [...text.matchAll(/^stakewatch_collector_success\{.*\} (\d)$/gm)]
  const tasks = [...text.matchAll(/^stakewatch_collector_interval_seconds\{/gm)]
  return (
    log.includes('every task has been attempted') && runs.length === tasks.length && runs.every(([, ok]) => ok === '1')
  )
}

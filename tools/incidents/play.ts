// Plays an incident: a simulated network, a daemon that watches it, and what its exposition said at each minute.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Daemon, createDaemon } from '../../src/daemon/daemon.ts'
import { parseConfig } from '../../src/commands/config.ts'
import type { Io } from '../../src/commands/io.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { entryOf } from '../../src/lib/entry.ts'
import { type Shard, UNDIVIDED } from '../../src/lib/shard.ts'
import type { Simulator } from '../../src/simulator/simulator.ts'
import { createStorage } from '../../src/storage/storage.ts'
import { createHangingDisk } from '../hanging-disk.ts'
import { createIdle, createSteppedClock, STEP } from '../stepped-time.ts'
import { createFailures } from './failures.ts'
import { answerInProcess } from './in-process.ts'
import { type Incident, MINUTES, type Order } from './incident.ts'
import { type Shown, shownBy } from './page-rows.ts'
import { isRead, matters } from './read.ts'
import { BEFORE, EPOCH, open, SETTLING } from './stage.ts'

export interface Played {
  /** A value for each sample of the play, undefined where the series was not there. */
  series: ReadonlyMap<string, readonly (number | undefined)[]>
  minutes: number
  /** Minutes from one value to the next. */
  sampleMinutes: number
  /** Defects of the simulator, and failures of collectors that nothing explains. */
  defects: readonly string[]
  /** The alerts that the status shows at each sample; undefined while it cannot tell. */
  shown: readonly (Shown | undefined)[]
}

/** As Prometheus knows the instance that was started as which. */
const targetOf = (at: number) => `job="stakewatch",instance="stakewatch${at === 0 ? '' : `-${at}`}:19650"`
/** Milliseconds from one look at a clock to the next. */
const LOOK = 0.000_7
/** Of one incident, so that promtool gets through all of them. */
const MOST_SERIES = 600

const NONE: ReadonlySet<string> = new Set()

const { idle, forget } = createIdle()
const log = { info: () => {}, warn: () => {} }

/** `also`: metrics that are kept although no rule reads them. */
export async function play(incident: Incident, also: ReadonlySet<string> = NONE): Promise<Played> {
  const { minutes = MINUTES, sampleMinutes = 1, scenery = {}, orders } = incident
  forget()
  const time = createSteppedClock(EPOCH * 1_000)
  const { stepSeconds: step = STEP } = scenery
  const { simulator, stage, config } = await open(time.clock, scenery)
  // What the stage was set with is in a block before the first request.
  time.advance(SETTLING)
  answerInProcess(simulator)
  const begin = time.clock.now().wall / 1_000
  const planned = planOf(orders(stage), minutes)
  const failures = createFailures(incident, orders(stage))
  const daemons: Awaited<ReturnType<typeof startDaemon>>[] = []
  let started = 0
  for (const shard of scenery.shards ?? [UNDIVIDED]) daemons.push(await startDaemon(shard))
  const series = new Map<string, (number | undefined)[]>()
  const shown: (Shown | undefined)[] = []
  const all = BEFORE + minutes
  for (let minute = 0; minute <= all; minute += 1) {
    await idle()
    if (minute % sampleMinutes === 0) await sampleAt(minute / sampleMinutes)
    for (let second = 0; second < 60; second += step) {
      for (const order of planned.get((minute * 60 + second) / STEP) ?? []) await give(order)
      await idle()
      time.advance(step * 1_000)
    }
  }
  for (const daemon of daemons) await end(daemon)
  await simulator.stop()
  const defects = [...simulator.defects, ...failures.unexplained()]
  for (const [key, values] of series) {
    const [name = '', labels = ''] = key.split(/(?<=^\w+)\{/)
    // A counter that has counted nothing changes no rule.
    const isIdle = name.endsWith('_total') && values.every((value) => value === 0)
    if (!also.has(name) && (isIdle || !matters(name, labels, values))) series.delete(key)
  }
  const most = also.size > 0 ? Infinity : MOST_SERIES
  if (series.size > most) throw new Error(`${series.size} series are more than ${most}`)
  return { series, minutes: all, sampleMinutes, defects, shown }

  async function sampleAt(at: number): Promise<void> {
    for (const daemon of daemons) {
      const [startedAt, { target, meanings }] = [daemon.startedAt(), daemon]
      // What Prometheus adds, and a process of its own would say: here all daemons share that of the runner.
      addSample(series, `up{${target}}`, at, startedAt === undefined ? 0 : 1)
      if (startedAt === undefined) continue
      const lines = await daemon.scraped()
      failures.count(lines, at * sampleMinutes - BEFORE)
      for (const line of lines) {
        const space = line.lastIndexOf(' ')
        const start = line.slice(0, space)
        if (!meanings.has(start)) meanings.set(start, meaningOf(start, target, also))
        const read = meanings.get(start)
        if (!read) continue
        const { name, labels, key, isTime } = read
        const value = Number(line.slice(space + 1))
        failures.see({ name, labels, value }, at * sampleMinutes - BEFORE)
        // promtool's time begins at 0.
        addSample(series, key, at, isTime ? value - begin : value)
      }
      addSample(series, `process_start_time_seconds{${target}}`, at, startedAt - begin)
    }
    shown[at] = await shownBy(daemons.map((daemon) => daemon.shows()))
  }

  async function end(daemon: (typeof daemons)[number]): Promise<void> {
    await daemon.stop()
    daemon.clean()
  }

  async function startDaemon(shard: Shard) {
    const target = targetOf(started)
    started += 1
    let skew = 0
    let running: Daemon
    let startedAt: number | undefined
    let address: string | undefined
    let held: (() => void)[] | undefined
    let yaml = config
    const folder = scenery.storage ? mkdtempSync(join(tmpdir(), 'stakewatch-storage-')) : undefined
    const disk = createHangingDisk()
    let looks = 0
    let before = -1
    const clock: Clock = {
      ...time.clock,
      after: (milliseconds, work) => time.clock.after(milliseconds, () => (held ? void held.push(work) : work())),
      now() {
        const { wall, steady } = time.clock.now()
        // As on a machine, the steady clock has fractions, and a little of it passes between two looks. It gains no time.
        looks = steady === before ? looks + 1 : 0
        before = steady
        return { wall: Math.floor(wall + skew), steady: steady + Math.min(looks * LOOK, 0.999) }
      },
    }
    const load = () => parseConfig(yaml, 'incident.yaml', { env: {} } as Io)
    async function start() {
      startedAt = time.clock.now().wall / 1_000
      running = createDaemon({
        config: load(),
        shard,
        load,
        version: 'incident',
        log,
        clock,
        random: () => 0.5,
        ...(folder && { storage: createStorage({ folder, keeper: disk.keep(folder), clock, log }) }),
      })
      const [bound] = await running.start({
        addresses: [{ host: '127.0.0.1', port: 0 }],
        telemetryPath: '/metrics',
        lifecycle: true,
      })
      address = `127.0.0.1:${bound!.port}`
    }
    async function stop() {
      if (startedAt === undefined) return
      startedAt = undefined
      const stopped = running.stop()
      time.advance(STEP * 1_000)
      await stopped
    }
    await start()
    return {
      target,
      meanings: new Map<string, Read | undefined>(),
      hold(how: 'held' | 'released') {
        const due = held ?? []
        held = how === 'held' ? [] : undefined
        for (const work of due) work()
      },
      async reload(how: 'broken' | 'mended') {
        yaml = how === 'broken' ? `${config}\nno_such_key: 1\n` : config
        await running.reload('incident').catch(() => {})
      },
      breakStorage(how: 'gone' | 'hangs' | 'goes on') {
        if (how === 'hangs') return disk.hang()
        if (how === 'goes on') return disk.goOn()
        rmSync(folder!, { recursive: true })
        // No folder can be made there.
        writeFileSync(folder!, '')
      },
      async drill(method: string, query: string) {
        const answer = await fetch(`http://${address}/-/drill?${query}`, { method })
        if (!answer.ok) throw new Error(await answer.text())
      },
      clean: () => folder && rmSync(folder, { recursive: true, force: true }),
      start,
      stop,
      skewBy: (milliseconds: number) => (skew += milliseconds),
      startedAt: () => startedAt,
      shows: () =>
        startedAt === undefined
          ? { address: undefined, age: 0 }
          : { address, age: (time.clock.now().wall / 1_000 - startedAt) / 60 },
      async scraped() {
        // What it says of itself is refreshed by a timer of the platform, for which the play is over in seconds.
        const { text } = await running.once(() => false)
        return text.split('\n').filter((line) => !line.startsWith('#'))
      },
    }
  }

  async function give(order: Order): Promise<void> {
    const [daemon] = daemons as [(typeof daemons)[number]]
    if ('instance' in order) {
      if (order.instance === 'removed') return end(daemons.pop()!)
      return void daemons.push(await startDaemon(order.instance))
    }
    if ('daemon' in order) return daemon[order.daemon]()
    if ('skew' in order) return void daemon.skewBy(order.skew)
    if ('timers' in order) return daemon.hold(order.timers)
    if ('configuration' in order) return daemon.reload(order.configuration)
    if ('storage' in order) return daemon.breakStorage(order.storage)
    if ('drill' in order) return daemon.drill(order.drill, order.query)
    const { url, method, body } = requestOf(order, simulator)
    const content = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const answer = await fetch(url, { method, ...content })
    const said = await answer.text()
    if (!answer.ok || said.includes('"error"')) throw new Error(`${url} refuses ${JSON.stringify(body)}: ${said}`)
  }
}

/** The orders by the steps of the play. */
function planOf(orders: ReturnType<Incident['orders']>, minutes: number): ReadonlyMap<number, readonly Order[]> {
  return new Map(
    Object.entries(orders).map(([key, some]) => {
      const minute = Number(key)
      if (minute < -BEFORE || minute > minutes) throw new Error('an order comes before or after the play')
      const step = ((minute + BEFORE) * 60) / STEP
      if (Math.abs(step - Math.round(step)) > 1e-6) throw new Error(`minute ${key} is not at a step of ${STEP} s`)
      return [Math.round(step), some]
    }),
  )
}

function requestOf(order: Extract<Order, { path: unknown } | { node: unknown }>, { controlUrl, nodes }: Simulator) {
  if ('path' in order) return { url: `${controlUrl}/${order.path}`, method: order.method, body: order.body }
  const { node, endpoint, method, params } = order
  const { url } = nodes.find(({ name }) => name === node)!
  return { url: `${url}${endpoint}`, method: 'POST', body: { jsonrpc: '2.0', id: 1, method, params } }
}

interface Read {
  name: string
  labels: string
  /** The series for promtool. */
  key: string
  isTime: boolean
}

/** What a line before its value means: nothing for most of them, and the same in each scrape. */
function meaningOf(start: string, target: string, also: ReadonlySet<string>): Read | undefined {
  const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(start) ?? []
  if (!also.has(name) && !isRead(name, labels)) return undefined
  const key = `${name}{${target}${labels && ','}${labels}}`
  return { name, labels, key, isTime: name.endsWith('_timestamp_seconds') }
}

function addSample(series: Map<string, (number | undefined)[]>, key: string, at: number, value: number): void {
  entryOf(series, key, () => [])[at] = value
}

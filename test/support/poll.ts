// Polls without a network: recorded answers in, exposition text out, through the real plan, runner and snapshot.

import { readFileSync } from 'node:fs'
import { collectors } from '../../src/collectors/index.ts'
import type { AnyCollector } from '../../src/collectors/define.ts'
import { loadConfig } from '../../src/config/load.ts'
import type { Config } from '../../src/config/schema.ts'
import { toBaseError, BaseError } from '../../src/errors.ts'
import { daemonMetrics } from '../../src/self/daemon-metrics.ts'
import { createSnapshot } from '../../src/metrics/snapshot.ts'
import { isLaterPage, type Operation, parseAnswer, toWire, type Wire } from '../../src/operations/define.ts'
import { createMemories } from '../../src/run/memory.ts'
import { plan } from '../../src/scheduler/plan.ts'
import { createRunner } from '../../src/run/run.ts'
import type { Standing } from '../../src/self/upstreams.ts'
import { clockOf } from './clock.ts'
import { seriesOf, tableOf, valueOf, valuesOf } from './exposition.ts'
import type { Client } from '../../src/upstream/client.ts'
import { createUnreadItems } from '../../src/upstream/unreadable-items.ts'

/** What an upstream says to a question of the task with this key: the body of its answer, or a BaseError to throw. */
export type Upstream = (operation: string, wire: Wire, source: string, task?: string) => unknown

type Labels = Record<string, string>

export type Poller = ReturnType<typeof createPoller>

export interface LogEntry {
  level: 'debug' | 'info' | 'warn'
  message: string
  [detail: string]: unknown
}

/** The last text and what it says: most tests of a file have the same, and reading it takes longer than a poll. */
let last: { yaml: string; config: Config } | undefined

export function configFrom(yaml: string): Config {
  if (last?.yaml === yaml) return last.config
  const names = collectors.map(({ name }) => name)
  const config = loadConfig(yaml, { file: 'test.yaml', env: {}, readFile: () => '', collectors: names })
  last = { yaml, config }
  return config
}

/** By body: where many pollers get the same one, as those of bad items do, it is parsed once. */
const parsed = new WeakMap<object, { operation: Operation; isLater: boolean; answer: ReturnType<typeof parseAnswer> }>()

function parseOnce<O extends Operation>(operation: O, raw: unknown, isLater: boolean) {
  const known = parsed.get(Object(raw) as object)
  if (known?.operation === operation && known.isLater === isLater)
    return known.answer as ReturnType<typeof parseAnswer<O>>
  const answer = parseAnswer(operation, raw, isLater)
  parsed.set(Object(raw) as object, { operation, isLater, answer })
  return answer
}

/** A daemon without scheduler and server whose clock stands where the test puts it (milliseconds). */
export function createPoller(yaml: string, collector: AnyCollector, start: number) {
  /** `ahead`: by how much most upstreams say that it is ahead. */
  const clock = { now: start, ahead: 0 }
  const asClock = clockOf(() => clock.now)
  const log: LogEntry[] = []
  const note = (level: LogEntry['level']) => (details: object, message: string) =>
    log.push({ level, message, ...details })
  let upstream: Upstream = () => undefined
  let running = ''
  let dropped = 0
  let unreadItems = 0
  const unreadOnce = createUnreadItems()
  const asked: (Wire & { operation: string; source: string })[] = []
  const accepted = new Map<string, number | undefined>()
  const refusals: string[] = []
  const reasons: string[] = []
  const standings = new Map<string, Standing>()
  const refusedAt = new Map<string, number>()
  const client = {
    call: async (source, operation, params, { maxAge }) => {
      accepted.set(operation.name, maxAge)
      const wire = toWire(operation, params)
      asked.push({ operation: operation.name, source: source.name, ...wire })
      const at = asClock.now()
      const raw = await upstream(operation.name, wire, source.name, running)
      if (raw instanceof Error) throw raw
      try {
        const { value, dropped, unread } = parseOnce(operation, raw, isLaterPage(wire))
        unreadItems += unreadOnce.fresh(source, operation.name, unread)
        const answer = { value, at, took: asClock.now().steady - at.steady, source: source.name, dropped }
        return source.nodeId ? { ...answer, nodeId: source.nodeId } : answer
      } catch (error) {
        throw new BaseError('bad_response', toBaseError(error).message)
      }
    },
  } satisfies Client
  const metrics = [...collector.metrics, ...daemonMetrics]
  const snapshot = createSnapshot(metrics, 'self')
  const names = new Set(metrics.map(({ name }) => name))
  const tasks = plan(configFrom(yaml), [collector])
  const memories = createMemories()
  const runner = createRunner({
    client,
    memories,
    publish: snapshot.accept,
    seriesDropped: (count) => (dropped += count),
    answerRefused({ name }, reason) {
      refusals.push(name)
      reasons.push(reason)
    },
    standing: ({ name }) => standings.get(name) ?? 'up',
    refusedAt: ({ name }) => refusedAt.get(name),
    clockAhead: () => clock.ahead,
    clock: asClock,
    log: { info: note('info'), warn: note('warn') },
  })
  /** The snapshot keeps a body of all metrics for a second, but not one of named metrics. */
  function exposition(): string {
    const text = Buffer.concat(snapshot.body('text', asClock.now(), names)).toString()
    refuseTwins(text)
    return text
  }
  return {
    tasks,
    clock,
    log,
    memories,
    dropped: () => dropped,
    /** Items that could not be read, each counted once. */
    unreadItems: () => unreadItems,
    status: () => snapshot.status(),
    /** The age of the answer that the last request of each operation accepts (milliseconds); undefined: only a new one. */
    accepted,
    /** Every request, in order. */
    asked,
    /** Sources whose answers were not believed, one entry for each, and why. */
    refusals,
    reasons,
    /** Of the sources that are not up. */
    standings,
    /** When machines last began to refuse connections, by source. */
    refusedAt,
    /** Runs every task of the collector once, one after the other. */
    async poll(answers: Upstream): Promise<void> {
      upstream = answers
      for (const task of tasks) {
        running = task.key
        await runner.run(task, new AbortController().signal)
      }
    },
    /** Sample lines in the order of exposition; `pattern` selects by name and labels. */
    lines(pattern: RegExp = /./): string[] {
      return exposition()
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#') && pattern.test(line))
    },
    /** The value of the only series with these labels; undefined without one. */
    value: (metric: string, labels?: Labels) => valueOf(exposition(), metric, labels),
    /** The values by one label. */
    values: (metric: string, label: string, labels?: Labels) => valuesOf(exposition(), metric, label, labels),
    /** The series of one metric, or of all metrics that match a pattern. */
    series: (metric: string | RegExp, labels?: Labels) => seriesOf(exposition(), metric, labels),
    /** The values of all metrics with this prefix, by the rest of the name and the values of `keys`. */
    table: (prefix: string, keys: readonly string[] = [], labels?: Labels) =>
      tableOf(exposition(), prefix, keys, labels),
    /** Whether the last run of each task succeeded: 1 or 0. */
    success: () => seriesOf(exposition(), 'stakewatch_collector_success').map(({ value }) => value),
    /** The values of all series with these labels, in the order of exposition. */
    list: (metric: string | RegExp, labels?: Labels) =>
      seriesOf(exposition(), metric, labels).map(({ value }) => value),
  }
}

/** Prometheus takes one of two samples of a series: no two units of a task may have the same. */
function refuseTwins(exposition: string): void {
  const series = exposition
    .split('\n')
    .flatMap((line) => (line === '' || line.startsWith('#') ? [] : line.split(/ (?=\S+$)/, 1)))
  const twins = series.filter((one, at) => series.indexOf(one, at + 1) >= 0)
  if (twins.length > 0) throw new Error(`published twice: ${twins.join(', ')}`)
}

/** A fixture written by hand from the documents. */
export function fixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'))
}

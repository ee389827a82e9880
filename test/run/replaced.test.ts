// What a reload leaves of the runs before it.

import { expect, test } from 'vitest'
import { z } from 'zod'
import { type AnyCollector, defineCollector } from '../../src/collectors/define.ts'
import { BaseError } from '../../src/errors.ts'
import { getCurrentSupply } from '../../src/operations/node/platform-subnets.ts'
import { getCurrentValidators } from '../../src/operations/node/platform-validators.ts'
import { createMemories } from '../../src/run/memory.ts'
import { plan } from '../../src/scheduler/plan.ts'
import { observeUpstreams } from '../../src/self/upstreams.ts'
import type { Client } from '../../src/upstream/client.ts'
import { clockOf } from '../support/clock.ts'
import { configFrom, type LogEntry } from '../support/poll.ts'
import { quietRunner } from '../support/quiet-runner.ts'

const collectorOf = (name: string): AnyCollector =>
  defineCollector({
    name,
    about: 'For tests.',
    every: '1h',
    uses: [getCurrentSupply, getCurrentValidators],
    observer: 'any',
    metrics: [],
    subjects: () => [{ name: 'primary', labels: {} }],
    estimate: () => ({ calls: [], series: 0 }),
    async collect({ call }) {
      await call(getCurrentSupply, {})
      return { samples: [] }
    },
  })

const tasksWith = (nodes: readonly string[]) =>
  plan(
    configFrom(`
networks:
  - name: fuji
    nodes: [${nodes.map((name, at) => `{ name: ${name}, url: "http://127.0.0.1:${at + 1}" }`).join(', ')}]
`),
    [collectorOf('one'), collectorOf('other')],
  )

test('a failure that may be that of a source is no line once a reload has removed the source', async () => {
  const log: LogEntry[] = []
  const note = (level: LogEntry['level']) => (details: object, message: string) =>
    log.push({ level, message, ...details })
  const clock = clockOf(() => 0)
  const before = tasksWith(['node-a', 'node-b'])
  const upstreams = observeUpstreams(before, { info: note('info'), warn: note('warn') }, clock)
  const ended = (code: 'ok' | 'timeout', operation: string) => {
    for (const source of before[0]!.sources) {
      upstreams.report({
        source,
        operation,
        path: '/ext/bc/P',
        code,
        sent: [code],
        limited: 0,
        reason: '',
        seconds: 1,
        dropped: 0,
        fieldsDropped: 0,
        unknownFields: [],
      })
    }
  }
  // One of two operations fails: neither source is down yet.
  ended('ok', getCurrentValidators.name)
  ended('timeout', getCurrentSupply.name)
  let isUp = false
  const client: Client = {
    async call({ name }) {
      if (!isUp) throw new BaseError('timeout', 'late')
      return { value: { supply: 1n } as never, at: clock.now(), source: name, took: 0, dropped: 0 }
    },
  }
  const runner = quietRunner({
    client,
    standing: upstreams.standing,
    clock,
    log: { info: note('info'), warn: note('warn') },
  })
  const { signal } = new AbortController()
  await runner.run(before[0]!, signal)
  const [one, other] = tasksWith(['node-a'])
  upstreams.replan([one!, other!], () => true)
  runner.replace(one!, true)
  isUp = true
  await runner.run(other!, signal)
  expect(log).toEqual([])
})

test('a run that a reload stops before it begins does nothing', async () => {
  const [task] = tasksWith(['node-a'])
  const done: string[] = []
  const runner = quietRunner({
    client: { call: async () => Promise.reject(new Error('asked')) },
    memories: { load: () => done.push('memory is loaded'), save: async () => {} },
    publish: ({ kind }) => done.push(kind),
    clock: clockOf(() => 0),
  })
  await runner.run(task!, AbortSignal.abort())
  expect(done).toEqual([])
})

test('a task that observes a node at another address remembers nothing of the node before, and has not run yet', async () => {
  const memory = z.object({ runs: z.number() })
  const collector: AnyCollector = defineCollector({
    name: 'one',
    about: 'For tests.',
    every: '1h',
    uses: [getCurrentSupply],
    observer: 'each',
    metrics: [],
    memory,
    subjects: () => [{ name: 'all', labels: {} }],
    estimate: () => ({ calls: [], series: 0 }),
    collect: async ({ memory: before }) => ({ samples: [], memory: { runs: (before?.runs ?? 0) + 1 } }),
  })
  const at = (port: number) =>
    plan(configFrom(`networks: [{ name: fuji, nodes: [{ name: node-a, url: "http://127.0.0.1:${port}" }] }]`), [
      collector,
    ])[0]!
  const memories = createMemories()
  let published: readonly string[] = []
  const runner = quietRunner({
    client: { call: async () => Promise.reject(new Error('asked')) },
    memories,
    clock: clockOf(() => 1_000),
    publish(message) {
      if (message.kind === 'publish' && message.key.startsWith('run:'))
        published = message.samples!.map(({ metric }) => metric.name.replace('stakewatch_collector_', ''))
    },
  })
  const { signal } = new AbortController()
  await runner.run(at(1), signal)
  await runner.run(at(1), signal)
  expect(memories.load(at(1).key)).toMatchObject({ memory: { runs: 2 } })
  runner.replace(at(2), true, true)
  expect(published).toEqual(['interval_seconds'])
  await runner.run(at(2), signal)
  await runner.run(at(2), signal)
  expect(memories.load(at(2).key)).toMatchObject({ memory: { runs: 2 } })
  expect(published).toEqual(['interval_seconds', 'success', 'last_success_timestamp_seconds'])
})

import { describe, expect, test } from 'vitest'
import { defineCollector } from '../../src/collectors/define.ts'
import type { ErrorCode } from '../../src/errors.ts'
import { getBlockchains, getCurrentSupply } from '../../src/operations/node/platform-subnets.ts'
import { getCurrentValidators } from '../../src/operations/node/platform-validators.ts'
import { plan, type Task } from '../../src/scheduler/plan.ts'
import { secretUrl } from '../../src/lib/secret.ts'
import type { CallReport } from '../../src/upstream/client.ts'
import { isSamePlace } from '../../src/upstream/dispatchers.ts'
import { observeUpstreams } from '../../src/self/upstreams.ts'
import { configFrom, type LogEntry } from '../support/poll.ts'
import { clockOf } from '../support/clock.ts'
import { valueOf } from '../support/exposition.ts'
import { rowsOf } from '../support/rows.ts'

const config = configFrom(`
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1" }, { name: node-b, url: "http://127.0.0.1:2" }]
    subnets: [{ id: 2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof, name: l1 }]
`)
const collectorOf = (observer: 'each' | 'any') =>
  defineCollector({
    name: observer,
    about: 'For tests.',
    every: '1m',
    uses: [getCurrentSupply, getCurrentValidators, getBlockchains],
    observer,
    metrics: [],
    subjects: ({ subnets }) => subnets.map(({ name }) => ({ name, labels: { subnet: name } })),
    estimate: () => ({ calls: [], series: 0 }),
    collect: async () => ({ samples: [] }),
  })

function observed() {
  const tasks = plan(config, [collectorOf('each'), collectorOf('any')])
  const log: LogEntry[] = []
  const note = (level: LogEntry['level']) => (details: object, message: string) =>
    log.push({ level, message, ...details })
  const clock = { now: 0 }
  const upstreams = observeUpstreams(
    tasks,
    { debug: note('debug'), info: note('info'), warn: note('warn') },
    clockOf(() => clock.now),
  )
  const [source] = tasks[0]!.sources
  return {
    log,
    clock,
    upstreams,
    tasks,
    standing: (startedAt?: number) => upstreams.standing(source!, startedAt),
    errors: () => upstreams.errors(),
    refusedAt: () => upstreams.refusedAt(source!),
    ends: (operation: string, code: 'ok' | ErrorCode, path = '/ext/info', more: Partial<CallReport> = {}) =>
      upstreams.report({
        source: source!,
        operation,
        path,
        code,
        sent: [code],
        limited: 0,
        reason: code === 'ok' ? '' : 'why',
        seconds: 1,
        dropped: 0,
        fieldsDropped: 0,
        unknownFields: [],
        ...more,
      }),
  }
}

describe('a field that stakewatch does not know', () => {
  const [SUPPLY, VALIDATORS] = ['platform.getCurrentSupply', 'platform.getCurrentValidators']
  const counts = (upstreams: ReturnType<typeof observed>['upstreams']) => {
    const text = upstreams
      .changes()
      .flatMap((change) => (change.kind === 'publish' ? change.families : []))
      .filter(({ name }) => name === 'stakewatch_upstream_unknown_fields')
      .map(({ lines }) => Buffer.concat(lines).toString())
      .join('')
    return [...text.matchAll(/source="node-a",operation="([^"]+)"\} (\d+)/g)].map(([, name, count]) => [
      name,
      Number(count),
    ])
  }

  test('is counted once for each operation, and named once in the log', () => {
    const { ends, log, upstreams } = observed()
    expect(counts(upstreams)).toEqual([])
    ends(SUPPLY, 'ok')
    expect(counts(upstreams)).toEqual([[SUPPLY, 0]])
    for (const names of [['a'], ['a', 'b'], ['b']]) ends(SUPPLY, 'ok', '/ext/bc/P', { unknownFields: names })
    ends(VALIDATORS, 'ok', '/ext/bc/P', { unknownFields: ['a'] })
    ends(VALIDATORS, 'http_status')
    expect(counts(upstreams)).toEqual([
      [SUPPLY, 2],
      [VALIDATORS, 1],
    ])
    const message = 'upstream sends a field that stakewatch does not know'
    const line = { level: 'debug', message, network: 'fuji', source: 'node-a' }
    expect(log.filter(({ level }) => level === 'debug')).toEqual([
      { ...line, operation: SUPPLY, field: 'a' },
      { ...line, operation: SUPPLY, field: 'b' },
      { ...line, operation: VALIDATORS, field: 'a' },
    ])
  })

  test('of an upstream that invents names counts 32 times at most', () => {
    const { ends, log, upstreams } = observed()
    for (let at = 0; at < 1_000; at += 1) ends(SUPPLY, 'ok', '/ext/bc/P', { unknownFields: [`x${at}`, `y${at}`] })
    expect(counts(upstreams)).toEqual([[SUPPLY, 32]])
    expect(log.filter(({ level }) => level === 'debug')).toHaveLength(32)
  })
})

const down = { level: 'warn', message: 'source is down', network: 'fuji', source: 'node-a', reason: 'why' }
const back = { level: 'info', message: 'source is back', network: 'fuji', source: 'node-a' }

describe('the log says of a source', () => {
  test.each<[string, string, string, object[]]>([
    ['that it is down when no connection can be made', 'a ok, b network', 'down', [{ ...down, code: 'network' }]],
    ['so when two operations fail', 'a timeout, b ok, a timeout, b http_status', 'down', [down, back, down]],
    ['nothing when one hangs and others answer', 'b ok, a timeout, a timeout, b ok, a timeout', 'suspect', []],
    ['that it is down when the only operation that is asked fails', 'a http_status', 'down', [down]],
    ['nothing when it answers with an error of its protocol', 'a rpc_error, b unsupported', 'up', []],
    ['nothing when stakewatch gave the request up', 'a ok, b aborted', 'up', []],
    ['once that it is down, whatever it fails with', 'a network, b timeout, a bad_response', 'down', [down]],
  ])('%s', (_, calls, standing, lines) => {
    const { ends, log, standing: standingNow } = observed()
    for (const call of calls.split(', ')) {
      const [operation, code] = call.split(' ')
      ends(operation!, code as 'ok' | ErrorCode)
    }
    expect(log).toMatchObject(lines)
    expect(standingNow()).toBe(standing)
  })

  test('how many tasks have no other source, and for how long it was down', () => {
    const { ends, log, clock } = observed()
    ends('a', 'network')
    clock.now = 90_400
    ends('a', 'ok')
    // Of two subnets each: an opinion waits for its node, a fact is asked of the other one.
    expect(log).toEqual([
      { ...down, code: 'network', tasks: 2 },
      { ...back, seconds: 90 },
    ])
  })
})

test('the last failure of a source is published once, with its time and without what the upstream wrote', () => {
  const { ends, errors, clock } = observed()
  ends('a', 'ok')
  expect(errors()).toEqual([])
  clock.now = 5_000
  ends('a', 'timeout')
  clock.now = 6_000
  ends('b', 'http_status')
  // An error that it answers with is an answer.
  ends('b', 'rpc_error')
  const failure = { network: 'fuji', source: 'node-a', operation: 'b', code: 'http_status', reason: 'why', at: 6_000 }
  expect(errors()).toEqual([failure])
  ends('a', 'ok')
  expect(errors()).toEqual([])
})

test('clocks are compared: most upstreams decide, and a jump of ours ends what was known', () => {
  const tasks = plan(config, [collectorOf('each')])
  let time = 0
  const clock = clockOf(() => time)
  const upstreams = observeUpstreams(tasks, { info: () => {}, warn: () => {} }, clock)
  const call = {
    operation: 'platform.getCurrentSupply',
    path: '/ext/bc/P',
    code: 'ok',
    sent: ['ok'],
    limited: 0,
    reason: '',
  } as const
  const say = (at: number, clockAhead?: number) => {
    const { source } = { source: tasks[at]!.sources[0]! }
    const more = clockAhead === undefined ? {} : { clockAhead }
    upstreams.report({ ...call, source, seconds: 0, dropped: 0, fieldsDropped: 0, unknownFields: [], ...more })
  }
  const published = () =>
    upstreams.changes().flatMap((change) => {
      if (change.kind !== 'publish') return []
      const lines = change.families.filter(({ name }) => name === 'stakewatch_upstream_clock_offset_seconds')
      return lines.map((family) => Buffer.concat(family.lines).toString().trim().split(' ').at(-1))
    })
  say(0)
  expect([published(), upstreams.clockAhead()]).toEqual([[], 0])
  say(0, 600_000)
  expect([published(), upstreams.clockAhead()]).toEqual([['600'], 600_000])
  say(1, 500)
  expect([published(), upstreams.clockAhead()]).toEqual([['0.5'], 0])
  say(1, 601_000)
  say(1, 601_000)
  expect([published(), upstreams.clockAhead()]).toEqual([['601'], 601_000])
  expect(upstreams.isClockKnown()).toBe(true)
  upstreams.clockJumped()
  expect([published(), upstreams.clockAhead(), upstreams.isClockKnown()]).toEqual([[], 0, false])
  say(0, 600_000)
  expect(upstreams.isClockKnown()).toBe(false)
  say(1, 600_000)
  expect([upstreams.clockAhead(), upstreams.isClockKnown()]).toEqual([600_000, true])
  upstreams.clockJumped()
  upstreams.clockJumped()
  expect(upstreams.isClockKnown()).toBe(false)
  time = 59_999
  expect(upstreams.isClockKnown()).toBe(false)
  time = 60_000
  expect(upstreams.isClockKnown()).toBe(true)
})

describe('a chain that bootstraps', () => {
  const P = '/ext/bc/P'
  const begins = (chain: string) => ({
    level: 'info',
    message: 'chain is bootstrapping',
    network: 'fuji',
    source: 'node-a',
    chain,
    reason: 'why',
  })
  const ends = (chain: string, seconds: number) => ({
    level: 'info',
    message: 'chain has finished bootstrapping',
    network: 'fuji',
    source: 'node-a',
    chain,
    seconds,
  })

  test('is one line when it begins and one when it ends, and the node is up all the while', () => {
    const one = observed()
    for (let minute = 0; minute < 60; minute += 1) {
      one.clock.now = minute * 60_000
      one.ends('platform.getCurrentValidators', 'not_ready', P)
      one.ends('platform.getBlockchains', 'not_ready', P)
      one.ends('info.peers', 'ok')
      one.ends('eth_chainId', 'not_ready', '/ext/bc/C/rpc')
      expect(one.standing()).toBe('up')
    }
    expect(one.log).toEqual([begins('P')])
    one.ends('platform.getCurrentValidators', 'ok', P)
    one.ends('eth_chainId', 'not_ready', '/ext/bc/C/rpc')
    one.clock.now += 5_000
    one.ends('eth_chainId', 'ok', '/ext/bc/C/rpc')
    expect(one.log).toEqual([begins('P'), ends('P', 3_540), begins('C'), ends('C', 5)])
    expect(one.errors()).toEqual([])
  })
})

function textOf(upstreams: ReturnType<typeof observeUpstreams>): string {
  const families = upstreams.changes().flatMap((change) => (change.kind === 'publish' ? change.families : []))
  return Buffer.concat(families.flatMap(({ lines }) => lines)).toString()
}

const upOf = (upstreams: ReturnType<typeof observeUpstreams>) =>
  valueOf(textOf(upstreams), 'stakewatch_upstream_up', { source: 'node-a' })

const countOf = (upstreams: ReturnType<typeof observeUpstreams>) =>
  valueOf(textOf(upstreams), 'stakewatch_upstream_request_duration_seconds_count', { source: 'node-a' })

test.each(
  rowsOf(`
  an answer                                | a ok                                              | 1
  an error as answer                       | a rpc_error                                       | 1
  a chain that bootstraps                  | a not_ready                                       | 1
  a connection that cannot be made         | b ok, a network                                   | 0
  one operation that hangs                 | b ok, a timeout, a timeout                        | 1
  three failures in a row of one operation | b ok, a http_status, a http_status, a http_status | 0
  two operations that hang                 | b ok, a timeout, b timeout                        | 0
  an answer after an outage                | b network, a ok                                   | 1
  a request that was given up              | a aborted                                         | unknown
`),
)('stakewatch_upstream_up after %s', (_, calls, up) => {
  const one = observed()
  for (const call of calls.split(', ')) one.ends(...(call.split(' ') as [string, 'ok' | ErrorCode]))
  expect(String(upOf(one.upstreams) ?? 'unknown')).toBe(up)
})

test.each<[string, ('ok' | 'lost' | 'refused' | 'refused, then ok' | 'unsent')[], number | undefined]>([
  ['never', ['ok', 'lost', 'ok'], undefined],
  ['at once', ['refused'], 0],
  ['when it began', ['ok', 'refused', 'lost', 'refused'], 1],
  ['as long as nothing answers', ['refused', 'unsent', 'refused', 'ok'], 0],
  ['again after an answer', ['refused', 'ok', 'refused', 'ok'], 2],
  ['though a further attempt was answered', ['ok', 'refused, then ok', 'ok'], 1],
  ['and again', ['refused, then ok', 'ok', 'refused, then ok'], 2],
])('a machine has refused connections %s', (_, calls, since) => {
  const one = observed()
  for (const [at, call] of calls.entries()) {
    one.clock.now = at * 1_000
    const code = call === 'unsent' ? 'circuit_open' : call.endsWith('ok') ? 'ok' : 'network'
    const sent = call === 'unsent' ? { sent: [] } : {}
    one.ends('a', code, '/ext/info', { ...sent, ...(call.startsWith('refused') && { wasRefused: true }) })
  }
  expect(one.refusedAt()).toBe(since === undefined ? undefined : since * 1_000)
})

test('a failure has the time of the upstreams', () => {
  const one = observed()
  one.clock.now = 200_000
  for (const operation of ['a', 'b', 'c']) one.ends(operation, 'ok', '/ext/info', { clockAhead: 120_000 })
  one.ends('a', 'network')
  expect(one.errors()).toMatchObject([{ at: 80_000 }])
})

test('to a run that began before it was back, a source is down', () => {
  const one = observed()
  one.ends('a', 'network')
  one.clock.now = 60_000
  one.ends('a', 'ok')
  expect([59_999, 60_001].map(one.standing)).toEqual(['down', 'up'])
})

describe('a node that has another address under the same name', () => {
  const elsewhere = (tasks: readonly Task[], url: string): Task[] =>
    tasks.map((task) => ({
      ...task,
      sources: task.sources.map((one) => (one.name === 'node-a' ? { ...one, url: secretUrl(url) } : one)),
    }))
  const MOVED = 'http://127.0.0.1:3'

  test('is neither up nor down, and has no clock, until it answers', () => {
    const one = observed()
    one.ends('a', 'network', '/ext/info', { clockAhead: 120_000, wasRefused: true })
    expect([one.standing(), upOf(one.upstreams), one.upstreams.clockAhead()]).toEqual(['down', 0, 120_000])
    one.upstreams.replan(elsewhere(one.tasks, MOVED), isSamePlace)
    expect([one.standing(), upOf(one.upstreams), one.upstreams.clockAhead()]).toEqual(['up', undefined, 0])
    expect(one.refusedAt()).toBeUndefined()
    expect(one.errors()).toEqual([])
    one.ends('a', 'ok')
    expect(one.log.map(({ message }) => message)).toEqual(['source is down'])
  })

  test('withdraws what was published of the machine before, with its last failure', () => {
    const one = observed()
    one.ends('a', 'network')
    const kinds = () =>
      one.upstreams.changes().flatMap((change) => {
        const keys = change.kind === 'publish' ? [change.key] : change.keys
        return keys.includes('upstream:fuji/node-a') ? change.kind : []
      })
    expect(kinds()).toEqual(['publish'])
    one.upstreams.replan(elsewhere(one.tasks, 'http://127.0.0.1:1'), isSamePlace)
    expect(kinds()).toEqual(['publish'])
    one.upstreams.replan(elsewhere(one.tasks, MOVED), isSamePlace)
    expect(kinds()).toEqual(['drop', 'publish'])
  })

  test('keeps its counters, and one whose address stays keeps all', () => {
    const one = observed()
    one.ends('a', 'network')
    const counts = () => countOf(one.upstreams)
    expect(counts()).toBe(1)
    one.upstreams.replan(elsewhere(one.tasks, 'http://127.0.0.1:1'), isSamePlace)
    expect(one.standing()).toBe('down')
    one.upstreams.replan(elsewhere(one.tasks, MOVED), isSamePlace)
    expect(counts()).toBe(1)
  })
})

test('a request that could not be sent after one that was is no failure of the upstream', () => {
  const one = observed()
  one.ends('a', 'over_budget', '/ext/info', { sent: ['http_status'] })
  expect([one.standing(), upOf(one.upstreams), one.errors()]).toEqual(['up', undefined, []])
})

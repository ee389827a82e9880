// The oracle of the chaos runs finds each kind of violation, and is silent where nothing is wrong.

import { expect, test } from 'vitest'
import { checkBudget, checkRequests } from '../../tools/chaos/oracle/accounts.ts'
import type { Violation } from '../../tools/chaos/oracle/define.ts'
import { createReader } from '../../tools/chaos/oracle/exposition.ts'
import { createGrowth } from '../../tools/chaos/oracle/growth.ts'
import { createHistory } from '../../tools/chaos/oracle/history.ts'
import { createJudge, type Judged } from '../../tools/chaos/oracle/judge.ts'
import { checkLatency, checkPages, checkResources } from '../../tools/chaos/oracle/life.ts'
import { createRecord } from '../../tools/chaos/oracle/record.ts'
import { wasNeverTrue } from '../../tools/chaos/truth.ts'
import { faults } from '../../tools/chaos/faults/index.ts'
import { operations } from '../../src/operations/index.ts'

const MINUTE = 60_000
const read = createReader()
const said = (violations: readonly Violation[]) =>
  violations.map(({ rule, subject, says }) => `${rule}: ${subject} ${says}`)

const COUNTER = '# TYPE stakewatch_x_total counter\n'
const options = { isStored: () => false, isUntrue: () => false }
const counted = (value: number) => read(`${COUNTER}stakewatch_x_total{a="b"} ${value}\n`, 'text')

test('a counter that falls is seen, one that grows or stands still is not', () => {
  const growth = createGrowth(options)
  expect(growth.check(counted(5))).toEqual([])
  expect(growth.check(counted(5))).toEqual([])
  expect(growth.check(counted(7))).toEqual([])
  expect(said(growth.check(counted(6)))).toEqual(['counter: stakewatch_x_total{a="b"} fell from 7 to 6'])
})

test('a counter that was away and comes back lower is seen', () => {
  const growth = createGrowth(options)
  growth.check(counted(5))
  growth.check(read('', 'text'))
  expect(said(growth.check(counted(4)))).toEqual(['counter: stakewatch_x_total{a="b"} fell from 5 to 4'])
})

test('a total of a chain may fall from what was never true, not from what was', () => {
  const history = createHistory()
  history.note('stakewatch_evm_transactions_total|orchard', 0, 90)
  history.note('stakewatch_evm_transactions_total|orchard', MINUTE, 97)
  const growth = createGrowth({ ...options, isUntrue: (series, value) => wasNeverTrue(history, series, value) })
  const total = (value: number) =>
    read(
      `# TYPE stakewatch_evm_transactions_total counter\nstakewatch_evm_transactions_total{chain="orchard"} ${value}\n`,
      'text',
    )
  growth.check(total(196))
  expect(growth.check(total(97))).toEqual([])
  expect(said(growth.check(total(96)))).toEqual([
    'counter: stakewatch_evm_transactions_total{chain="orchard"} fell from 97 to 96',
  ])
  growth.check(counted(5))
  expect(said(growth.check(counted(4)))).toEqual(['counter: stakewatch_x_total{a="b"} fell from 5 to 4'])
})

test('the bucket of a histogram that falls is seen', () => {
  const growth = createGrowth(options)
  const histogram = (value: number) =>
    read(`# TYPE h histogram\nh_bucket{le="+Inf"} ${value}\nh_sum 1\nh_count ${value}\n`, 'text')
  growth.check(histogram(3))
  expect(said(growth.check(histogram(2)))).toEqual([
    'counter: h_bucket{le="+Inf"} fell from 3 to 2',
    'counter: h_count fell from 3 to 2',
  ])
})

test('after a restart only counters that are stored must not fall', () => {
  const [volatile, stored] = [
    createGrowth(options),
    createGrowth({ ...options, isStored: (name) => name === 'stakewatch_x_total' }),
  ]
  for (const growth of [volatile, stored]) {
    growth.check(counted(5))
    growth.restarted()
  }
  expect(volatile.check(counted(1))).toEqual([])
  expect(said(stored.check(counted(1)))).toEqual(['counter: stakewatch_x_total{a="b"} fell from 5 to 1'])
})

const supply = operations.find(({ name }) => name === 'platform.getCurrentSupply')!
const network: Judged = { network: 'ash', role: 'honest', sources: { node: ['node-a', 'node-b'] } }
/** The value of the supply is 100 from the beginning on, and 200 from minute 10 on. */
function judgeOf(role: Judged['role'] = 'honest') {
  const [record, history] = [createRecord(), createHistory()]
  history.note('stakewatch_supply_tokens|primary', 0, 100)
  history.note('stakewatch_supply_tokens|primary', 10 * MINUTE, 200)
  const judge = createJudge({
    networks: [{ ...network, role }],
    collectors: [
      {
        name: 'supply',
        metrics: new Set(['stakewatch_supply_tokens']),
        operations: [{ name: supply.name, service: 'node' }],
        every: MINUTE,
        ttl: 5 * MINUTE,
        maxAge: 0,
      },
    ],
    record,
    history,
    slack: 10_000,
  })
  const answer = (at: number, sent: 'proper' | 'other' | 'none' = 'proper', source = 'node-a') =>
    record.note({
      upstream: { network: 'ash', source, service: 'node', target: '' },
      operation: supply,
      at,
      answeredAt: at,
      fault: sent === 'other' ? faults.find(({ lies }) => lies) : undefined,
      isChanged: sent !== 'proper',
      sent,
    })
  return { judge, answer }
}

const supplied = (value: number) =>
  read(
    `# TYPE stakewatch_supply_tokens gauge\nstakewatch_supply_tokens{network="ash",subnet="primary"} ${value}\n`,
    'text',
  )
const NOTHING = read('', 'text')

test('a value that the network has, or had within the time to live, is true', () => {
  const { judge, answer } = judgeOf()
  answer(10 * MINUTE - 1_000)
  expect(judge.check(supplied(100), 12 * MINUTE, 0)).toEqual([])
  answer(11 * MINUTE)
  expect(judge.check(supplied(200), 12 * MINUTE, 0)).toEqual([])
})

test('a value that the network never had is seen', () => {
  const { judge, answer } = judgeOf()
  answer(11 * MINUTE)
  expect(said(judge.check(supplied(150), 12 * MINUTE, 0))).toEqual([
    'untrue: stakewatch_supply_tokens{"network":"ash","subnet":"primary"} is 150; the network had 100, 200',
  ])
})

test('a value of before the time to live is seen, though answers come', () => {
  const { judge, answer } = judgeOf()
  answer(20 * MINUTE)
  expect(said(judge.check(supplied(100), 20 * MINUTE, 0))).toEqual([
    'untrue: stakewatch_supply_tokens{"network":"ash","subnet":"primary"} is 100; the network had 200',
  ])
})

test('a true value that is there beyond its time to live is seen', () => {
  const { judge, answer } = judgeOf()
  answer(11 * MINUTE)
  expect(judge.check(supplied(200), 16 * MINUTE, 0)).toEqual([])
  answer(16 * MINUTE, 'none')
  expect(said(judge.check(supplied(200), 17 * MINUTE, 0))).toEqual([
    'old: stakewatch_supply_tokens{"network":"ash","subnet":"primary"} is there 360 s after the last answer that it can come from; time to live 300 s',
  ])
})

test('where the daemon says that it asks less often, a value may live as long as it says', () => {
  const stretched = read(
    '# TYPE stakewatch_collector_ttl_seconds gauge\nstakewatch_collector_ttl_seconds{network="ash",collector="supply",source=""} 600\n',
    'text',
  )
  const judgedAfter = (role: Judged['role'], minutes: number) => {
    const { judge, answer } = judgeOf(role)
    judge.check(stretched, 10 * MINUTE, 0)
    answer(11 * MINUTE)
    return judge.check(supplied(200), (11 + minutes) * MINUTE, 0).map(({ rule }) => rule)
  }
  expect(judgedAfter('honest', 9)).toEqual([])
  expect(judgedAfter('honest', 11)).toEqual(['old'])
  expect(judgedAfter('healthy', 9)).toEqual(['old'])
})

test('of several times to live the longest that may still hold counts', () => {
  const published = (seconds: number) =>
    read(
      `# TYPE stakewatch_collector_ttl_seconds gauge\nstakewatch_collector_ttl_seconds{network="ash",collector="supply",source=""} ${seconds}\n`,
      'text',
    )
  const { judge, answer } = judgeOf('honest')
  for (const [minute, seconds] of [
    [1, 1_800],
    [31, 900],
    [32, 300],
  ] as const)
    judge.check(published(seconds), minute * MINUTE, 0)
  answer(30 * MINUTE)
  // The half hour of the first minute is over, the quarter of an hour that came next is not.
  const judged = (minute: number) => {
    judge.check(published(300), minute * MINUTE, 0)
    return judge.check(supplied(200), minute * MINUTE, 0).map(({ rule }) => rule)
  }
  expect([44, 47].map(judged)).toEqual([[], ['old']])
})

test('what an upstream lied about is not held against the daemon, but for as long as the lie may live', () => {
  const { judge, answer } = judgeOf('lying')
  answer(11 * MINUTE, 'other')
  expect(judge.check(supplied(150), 12 * MINUTE, 0)).toEqual([])
  answer(40 * MINUTE)
  expect(said(judge.check(supplied(150), 40 * MINUTE, 0))).toHaveLength(1)
})

test('data of a healthy network that is missing, or late, is seen; not while all is just beginning', () => {
  const { judge, answer } = judgeOf('healthy')
  answer(11 * MINUTE)
  expect(judge.check(NOTHING, 12 * MINUTE, 11 * MINUTE)).toEqual([])
  expect(said(judge.check(NOTHING, 15 * MINUTE, 11 * MINUTE))).toEqual([
    'missing: ash stakewatch_supply_tokens|primary is not there, though its upstreams answer',
  ])
  answer(14 * MINUTE)
  expect(said(judge.check(supplied(100), 15 * MINUTE - 1_000, 0))).toEqual([
    'late: stakewatch_supply_tokens{"network":"ash","subnet":"primary"} is 100, as the network had it more than 220 s ago',
  ])
})

test('data may be missing while the harness itself did not let the healthy network answer', () => {
  const { judge, answer } = judgeOf('healthy')
  answer(14 * MINUTE, 'none')
  expect(judge.check(NOTHING, 15 * MINUTE, 11 * MINUTE)).toEqual([])
})

const all = 'network="ash",collector="supply",source=""'
/** `targets`: of each, collector_success and the time of the last one. */
const ran = (
  targets: Readonly<Record<string, readonly [success: number, last: number]>>,
  runs: Readonly<Record<string, number>>,
) => {
  const lines = (name: string, at: 0 | 1) =>
    Object.entries(targets).map(([target, values]) => `${name}{${all},target="${target}"} ${values[at]}\n`)
  return read(
    [
      '# TYPE stakewatch_collector_success gauge\n',
      ...lines('stakewatch_collector_success', 0),
      '# TYPE stakewatch_collector_last_success_timestamp_seconds gauge\n',
      ...lines('stakewatch_collector_last_success_timestamp_seconds', 1),
      '# TYPE stakewatch_collector_runs_total counter\n',
      ...Object.entries(runs).map(
        ([result, count]) => `stakewatch_collector_runs_total{${all},result="${result}"} ${count}\n`,
      ),
    ].join(''),
    'text',
  )
}

const EARLIER = { success: 1, failure: 1, unsupported: 0 }

test.each([
  ['1 after a failure', ran({ primary: [1, 7] }, { ...EARLIER, failure: 2 }), ['primary/ is 1 after a failure']],
  ['0 after a success', ran({ primary: [0, 8] }, { ...EARLIER, success: 2 }), ['primary/ is 0 after a success']],
  [
    '0 after what is not supported',
    ran({ primary: [0, 7] }, { ...EARLIER, unsupported: 1 }),
    ['primary/ is 0 after a success'],
  ],
  [
    '1 after a success of earlier',
    ran({ primary: [1, 8], l1: [1, 0] }, { ...EARLIER, success: 2 }),
    ['l1/ is 1 without a success'],
  ],
  [
    '0 after a success of one of two',
    ran({ primary: [0, 8], l1: [0, 0] }, { ...EARLIER, success: 2 }),
    ['primary/ is 0 after a success'],
  ],
  [
    '1 of both after a failure',
    ran({ primary: [1, 7], l1: [1, 1] }, { ...EARLIER, failure: 2 }),
    ['primary/ is 1 after a failure', 'l1/ is 1 after a failure'],
  ],
  ['1 and 0 after a failure', ran({ primary: [1, 7], l1: [0, 0] }, { ...EARLIER, failure: 2 }), []],
])('a collector_success of %s is judged', (_, exposition, says) => {
  const { judge, answer } = judgeOf()
  answer(11 * MINUTE)
  const isSingle = ![...exposition.series.values()].some(({ labels }) => labels['target'] === 'l1')
  judge.check(ran({ primary: [1, 7], ...(!isSingle && { l1: [0, 0] as const }) }, EARLIER), 11 * MINUTE, 0)
  answer(11 * MINUTE + 500)
  expect(said(judge.check(exposition, 11 * MINUTE + 1_000, 0))).toEqual(
    says.map((one) => `success: collector_success of supply/ash/${one}`),
  )
})

test('a run that succeeds without an answer that it can come from is seen', () => {
  const { judge, answer } = judgeOf()
  answer(5 * MINUTE)
  judge.check(ran({ primary: [1, 7] }, { success: 1, failure: 0 }), 11 * MINUTE, 0)
  answer(11 * MINUTE, 'none')
  expect(said(judge.check(ran({ primary: [1, 8] }, { success: 2, failure: 0 }), 12 * MINUTE, 0))).toEqual([
    'success: collector_success of supply/ash/primary/ a run succeeded 420 s after the last answer that it can come from',
  ])
})

test('a run that succeeds by an answer is truthful', () => {
  const { judge, answer } = judgeOf()
  judge.check(ran({ primary: [1, 7] }, { success: 1, failure: 0 }), 11 * MINUTE, 0)
  answer(11 * MINUTE, 'proper', 'node-b')
  expect(judge.check(ran({ primary: [1, 8] }, { success: 2, failure: 0 }), 12 * MINUTE, 0)).toEqual([])
})

const ACCOUNTS = [{ network: 'ash', source: 'node-a' }]
const requested = (count: number) =>
  read(
    `# TYPE stakewatch_upstream_requests_total counter\nstakewatch_upstream_requests_total{network="ash",source="node-a",operation="x",code="ok"} ${count}\n`,
    'text',
  )

test('requests that are not counted two minutes later are seen', () => {
  const record = { requests: (_: string, __: string, until: number) => (until >= 8 * MINUTE ? 5 : 2) }
  const times = { startedAt: MINUTE, now: 10 * MINUTE }
  expect(checkRequests(requested(3), ACCOUNTS, record, times)).toEqual([])
  expect(said(checkRequests(requested(2), ACCOUNTS, record, times))).toEqual([
    'requests: ash/node-a 2 requests are counted, 3 were read',
  ])
  expect(checkRequests(NOTHING, ACCOUNTS, record, times)).toEqual([])
})

test('more units within a minute than the budget grants are seen', () => {
  const record = { units: () => 101 }
  expect(checkBudget(ACCOUNTS, record, () => 101, MINUTE)).toEqual([])
  expect(said(checkBudget(ACCOUNTS, record, () => 100, MINUTE))).toEqual([
    'budget: ash/node-a 101 units within a minute, 100 are granted',
  ])
})

test('the record adds up units and requests by the time at which they were read', () => {
  const record = createRecord()
  for (const at of [1_000, 3_000, 2_000]) {
    record.note({
      upstream: { network: 'ash', source: 'node-a', service: 'node', target: '' },
      operation: supply,
      at,
      answeredAt: at,
      fault: undefined,
      isChanged: false,
      sent: 'proper',
    })
  }
  expect(record.requests('ash', 'node-a', 2_000)).toBe(2)
  expect(record.units('ash', 'node-a', 2_000, 3_001)).toBe(2 * supply.cost)
})

test('too much memory, too many handles and slow scrapes are seen', () => {
  expect(checkResources({ rss: 1e8, handles: 100 })).toEqual([])
  expect(said(checkResources({ rss: 2 ** 31, handles: 5_000 }))).toEqual([
    'memory: the process uses 2048 MB',
    'handles: the process has 5000 handles',
  ])
  expect(checkLatency(900)).toEqual([])
  expect(said(checkLatency(1_500))).toEqual(['latency: a scrape took 1500 ms'])
})

const well = { healthy: 200, ready: 200, hasData: true, calm: 10 * MINUTE, patience: 2 * MINUTE }

test.each([
  ['all is well', well, []],
  ['it has just started', { ...well, ready: 503, hasData: false, calm: 0 }, []],
  ['it is not ready for long', { ...well, ready: 503 }, ['ready: /-/ready has status 503 while a network has data']],
  [
    'it is ready and has nothing',
    { ...well, hasData: false, calm: 0 },
    ['ready: /-/ready is 200 while there is no data at all'],
  ],
  [
    'it is not healthy for long',
    { ...well, healthy: 503 },
    ['healthy: /-/healthy has status 503 while the process works'],
  ],
  [
    'it does not answer',
    { ...well, healthy: undefined },
    ['healthy: /-/healthy has status undefined while the process works'],
  ],
])('the pages of its life are judged when %s', (_, pages, violations) => {
  expect(said(checkPages(pages))).toEqual(violations)
})

test('of what grows, what lies between two moments is true, and what lies ahead or before is not', () => {
  const history = createHistory()
  history.note('head', 0, 10)
  history.note('head', MINUTE, 14)
  const held = (value: number, since: number) => history.held('head', value, since, true)
  expect([9, 10, 12, 14, 15].map((value) => held(value, 0))).toEqual([false, true, true, true, false])
  expect(held(12, 2 * MINUTE)).toBe(false)
  expect(history.held('head', 12, 0)).toBe(false)
})

// The oracle of the bad weather finds each kind of violation, and is silent where nothing is wrong.

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readExposition } from '../../tools/scenarios/weather/exposition.ts'
import { createHistory, createRecord } from '../../tools/scenarios/weather/history.ts'
import { createOracle, type Polled, type Watched } from '../../tools/scenarios/weather/oracle.ts'

const MINUTE = 60_000
const SUPPLY = 'stakewatch_supply_tokens|primary'
const upstream = { network: 'ash', source: 'node-a', service: 'node', target: '' } as const

/** The supply is 100 from the beginning on, and 200 from minute 10 on; a chain has 90 transactions, then 97. */
function watch(role: Watched['role'] = 'honest', isStored = false) {
  const [record, history] = [createRecord(), createHistory()]
  history.note(SUPPLY, 0, 100)
  history.note(SUPPLY, 10 * MINUTE, 200)
  history.note('stakewatch_evm_transactions_total|orchard', 0, 90)
  history.note('stakewatch_evm_transactions_total|orchard', MINUTE, 97)
  const polled = (name: string, metrics: readonly string[], operation: string): Polled => ({
    name,
    metrics: new Set(metrics),
    operations: [{ name: operation, service: 'node' }],
    every: MINUTE,
    ttl: 5 * MINUTE,
    maxAge: 0,
    isStored,
  })
  const oracle = createOracle({
    networks: [{ network: 'ash', role, granted: 100, sources: { node: ['node-a', 'node-b'], data: ['data-api'] } }],
    collectors: [
      polled('supply', ['stakewatch_supply_tokens', 'stakewatch_x_total'], 'getSupply'),
      polled('evm-blocks', ['stakewatch_evm_transactions_total'], 'listBlocks'),
    ],
    record,
    history,
  })
  return {
    oracle,
    /** At a minute. */
    answer(at: number, sent: 'the truth' | 'a lie' | 'nothing' = 'the truth', more: object = {}) {
      const exchange = { upstream, operation: 'getSupply', cost: 0, fault: undefined, sent }
      record.note({ ...exchange, at: at * MINUTE, answeredAt: at * MINUTE, ...more })
    },
    async see(at: number, text: string, pages: object = { ready: 200, healthy: 200 }): Promise<string[]> {
      const seen = { text, ready: 503, healthy: 200, ...pages }
      return (await oracle.see(seen, at * MINUTE)).map(({ rule, subject, says }) => `${rule}: ${subject} ${says}`)
    },
  }
}

const gauge = (name: string, labels: string, value: number) => `# TYPE ${name} gauge\n${name}{${labels}} ${value}\n`
const supplied = (value: number) => gauge('stakewatch_supply_tokens', 'network="ash",subnet="primary"', value)
const about = 'stakewatch_supply_tokens{"network":"ash","subnet":"primary"}'
const livesFor = (seconds: number) =>
  gauge('stakewatch_collector_ttl_seconds', 'network="ash",collector="supply",source=""', seconds)
const counted = (value: number, name = 'stakewatch_x_total', labels = 'network="ash"') =>
  `# TYPE ${name} counter\n${name}{${labels}} ${value}\n`
const total = (value: number) => counted(value, 'stakewatch_evm_transactions_total', 'chain="orchard"')

test.each<[string, answered: number, looked: number, value: number, string[]]>([
  ['that the network has', 11, 12, 200, []],
  ['that it had within the time to live', 9.9, 12, 100, []],
  ['that it never had', 11, 12, 150, [`untrue: ${about} is 150; the network had 100, 200`]],
  ['of before the time to live, though answers come', 20, 20, 100, [`untrue: ${about} is 100; the network had 200`]],
  ['that is there until its time to live is over', 11, 16, 200, []],
  [
    'that is there beyond it',
    11,
    17,
    200,
    [`old: ${about} is there 360 s after the last answer that it can come from`],
  ],
])('a value %s', async (_, answered, looked, value, says) => {
  const { answer, see } = watch()
  answer(answered)
  answer(looked, 'nothing')
  expect(await see(looked, supplied(value))).toEqual(says)
})

test('where the daemon asks less often, a value may live as long as it says, and no longer', async () => {
  const judged = async (role: Watched['role'], minutes: number) => {
    const { answer, see } = watch(role)
    await see(10, supplied(200) + livesFor(600))
    answer(11)
    answer(11 + minutes, 'nothing')
    return (await see(11 + minutes, supplied(200))).map((said) => said.split(':')[0])
  }
  expect(await judged('honest', 9)).toEqual([])
  expect(await judged('honest', 11)).toEqual(['old'])
  expect(await judged('healthy', 9)).toEqual(['old'])
})

test('of several times to live the longest that may still hold counts', async () => {
  const { answer, see } = watch()
  const published: [minute: number, seconds: number][] = [
    [1, 1_800],
    [31, 900],
    [32, 300],
  ]
  answer(30)
  for (const [minute, seconds] of published) await see(minute, supplied(minute < 10 ? 100 : 200) + livesFor(seconds))
  // The half hour of the first minute is over, the quarter of an hour that came next is not.
  expect(await see(44, supplied(200) + livesFor(300))).toEqual([])
  expect(await see(47, supplied(200) + livesFor(300))).toHaveLength(1)
})

test('a lie is not held against the daemon for as long as it may live', async () => {
  const { answer, see } = watch('lying')
  answer(11, 'a lie')
  expect(await see(12, supplied(150))).toEqual([])
  answer(40)
  expect(await see(40, supplied(150))).toHaveLength(1)
})

describe('data of a healthy network', () => {
  const other = gauge('stakewatch_x', '', 1)
  test('that is missing is seen once all is calm, unless the harness did not let it answer', async () => {
    const { answer, see, oracle } = watch('healthy')
    oracle.disturbed(11 * MINUTE)
    answer(11)
    expect(await see(12, other, { ready: 503 })).toEqual([])
    expect(await see(15, other, { ready: 200 })).toEqual([
      `missing: ash ${SUPPLY} is not there, though its upstreams answer`,
      'missing: ash stakewatch_evm_transactions_total|orchard is not there, though its upstreams answer',
      'pages: /-/ready is 200 while there is no data at all ',
    ])
    answer(14.5, 'nothing')
    expect(await see(15, other, { ready: 503 })).toEqual(['pages: /-/ready has status 503 while a network has data '])
  })

  test('that is late is seen', async () => {
    const { answer, see } = watch('healthy')
    answer(14)
    const transactions = counted(97, 'stakewatch_evm_transactions_total', 'network="ash",chain="orchard"')
    expect(await see(14.9, supplied(100) + transactions)).toContain(
      `late: ${about} is 100, as it was more than 240 s ago`,
    )
  })
})

describe('a counter', () => {
  test('that falls is seen, also when it was away; one that grows or stands still is not', async () => {
    const { answer, see } = watch()
    answer(1)
    for (const value of [5, 5, 7]) expect(await see(1, counted(value))).toEqual([])
    expect(await see(1, supplied(100))).toEqual([])
    expect(await see(1, counted(6))).toEqual(['counter: stakewatch_x_total{network="ash"} fell from 7 to 6'])
  })

  test('that repeats a total may fall from what was never true, not from what was', async () => {
    const { see } = watch()
    expect(await see(2, total(196))).toEqual([])
    expect(await see(2, total(97))).toEqual([])
    expect(await see(2, total(96))).toEqual([
      'counter: stakewatch_evm_transactions_total{chain="orchard"} fell from 97 to 96',
    ])
  })

  test.each([
    [true, 1],
    [false, 0],
  ])('must not fall by a kill where it is stored: %s', async (isStored, violations) => {
    const { answer, see, oracle } = watch('honest', isStored)
    answer(1)
    await see(1, counted(5))
    oracle.killed(MINUTE)
    expect(await see(1, counted(1))).toHaveLength(violations)
  })

  test('is the bucket of a histogram as well', async () => {
    const { see } = watch()
    const histogram = (count: number) => `# TYPE h histogram\nh_bucket{le="+Inf"} ${count}\nh_sum 1\nh_count ${count}\n`
    await see(1, histogram(3), { ready: 503 })
    expect(await see(1, histogram(2), { ready: 503 })).toHaveLength(2)
  })
})

test('more units within a minute than are granted are seen', async () => {
  const { answer, see } = watch()
  const ofService = { upstream: { ...upstream, source: 'data-api' }, cost: 60 }
  answer(10, 'the truth', ofService)
  answer(11, 'the truth', ofService)
  answer(11)
  expect(await see(11, supplied(200))).toEqual([])
  answer(11.2, 'the truth', ofService)
  expect(await see(11.3, supplied(200))).toEqual(['budget: ash/data-api was asked for 120 units in a minute'])
})

test.each([
  ['has just started', { ready: 503, healthy: 200 }, 0, []],
  ['is not ready for long', { ready: 503 }, 9, ['/-/ready has status 503 while a network has data']],
  ['is not healthy for long', { ready: 200, healthy: 503 }, 9, ['/-/healthy has status 503 while the process works']],
])('a daemon that %s', async (_, pages, minutes, says) => {
  const { answer, see, oracle } = watch()
  oracle.disturbed(MINUTE)
  answer(1 + minutes)
  expect(await see(1 + minutes, supplied(minutes > 8 ? 200 : 100), pages)).toEqual(says.map((one) => `pages: ${one} `))
})

test('of what grows, what lies between two moments is true, and what lies ahead or before is not', () => {
  const history = createHistory()
  history.note('head', 0, 10)
  history.note('head', MINUTE, 14)
  const held = (value: number) => history.held('head', value, 0, true)
  expect([9, 10, 12, 14, 15].map(held)).toEqual([false, true, true, true, false])
  expect(history.held('head', 12, 2 * MINUTE, true)).toBe(false)
  expect(history.held('head', 12, 0)).toBe(false)
})

const HEADER = '# TYPE a_total counter\n'

test.each([
  ['a label without an end', `${HEADER}a_total{x="y} 1\n`, 'cannot be read'],
  ['an unknown escape', `${HEADER}a_total{x="\\q"} 1\n`, 'cannot be read'],
  ['a line without a value', `${HEADER}a_total\n`, 'cannot be read'],
  ['a series twice', `${HEADER}a_total{x="1"} 1\na_total{x="1"} 1\n`, 'is there twice'],
  ['a gauge of ours that is infinite', '# TYPE stakewatch_x gauge\nstakewatch_x +Inf\n', 'is +Inf'],
  ['a series of no family', 'b 1\n', 'has no type'],
])('%s is a flaw of an exposition', (_, text, flaw) => {
  expect(readExposition(text).flaws.join('\n')).toContain(flaw)
})

test('the golden exposition of the daemon has no flaw', () => {
  const golden = readFileSync(new URL('../metrics.golden.txt', import.meta.url), 'utf8')
  const { series, flaws } = readExposition(golden)
  expect(flaws).toEqual([])
  expect(series.size).toBeGreaterThan(100)
})

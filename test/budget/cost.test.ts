import { describe, expect, test } from 'vitest'
import { collectors } from '../../src/collectors/index.ts'
import { costOf, seriesOf, seriesWarnings, warningOf } from '../../src/budget/cost.ts'
import { plan } from '../../src/scheduler/plan.ts'
import { example, loadAsExample } from '../support/example.ts'
import { configFrom } from '../support/poll.ts'

const yaml = (budget: string) => `
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1" }, { name: node-b, url: "http://127.0.0.1:2" }]
    data_api: { url: "http://127.0.0.1:3", budget: { ${budget} } }
    chains: [{ id: p-chain }, { id: c-chain, evm_chain_id: 43113 }]
    addresses: [{ name: wallet, addresses: ["P-fuji186eyqkgdmycan3q6z3q7hq5pmufj8ypzsxx946"] }]
collectors: { evm-blocks: { every: 10s }, primary-blocks: { every: 1m }, pending-rewards: { every: 1h } }
`
const costs = (budget: string, of = collectors) => costOf(plan(configFrom(yaml(budget)), of))
const only = (...names: readonly string[]) => collectors.filter(({ name }) => names.includes(name))
/** Three prices that the tests know. */
const metered = collectors.filter(({ name }) => ['evm-blocks', 'primary-blocks', 'pending-rewards'].includes(name))

describe('what a plan costs', () => {
  test('units by upstream, from the interval and the price of each call', () => {
    // evm-blocks: 10 units every 10 s are 86,400 a day. primary-blocks: two chains, 20 units a minute each, 57,600 a day.
    // pending-rewards: 100 units an hour, 2,400 a day.
    const data = costs('', metered).find(({ upstream }) => upstream === 'fuji/data-api')!
    expect(data.collectors).toEqual([
      ['evm-blocks', 86_400],
      ['primary-blocks', 57_600],
      ['pending-rewards', 2_400],
    ])
    // In a minute 101.67, and room for 100 more in a fifth more than what is printed.
    expect(data.perDay).toBe(146_400)
    expect(data.perMinute * 1.2).toBeCloseTo(146_400 / 1_440 + 100)
  })

  test('an opinion asks each node, a fact the first one', () => {
    const few = only('blockchain-status', 'subnet-uptime', 'supply', 'subnet')
    const requests = Object.fromEntries(
      costs('', few).map(({ upstream, collectors: all }) => [upstream, all.map(([name]) => name)]),
    )
    expect(requests['fuji/node-a']).toEqual(
      expect.arrayContaining(['blockchain-status', 'subnet-uptime', 'supply', 'subnet']),
    )
    expect(requests['fuji/node-b']?.toSorted()).toEqual(['blockchain-status', 'subnet-uptime'])
  })

  test.each([
    ['no budget', '', undefined],
    ['enough of both', 'per_minute: 169, per_day: 146400', undefined],
    [
      'too little a day',
      'per_day: 146399',
      'fuji/data-api: 146,400 units a day are more than the budget of 146,399; slow down, with collectors.NAME.every: evm-blocks (86,400 a day), primary-blocks (57,600 a day), pending-rewards (2,400 a day)',
    ],
    [
      'too little a minute',
      'per_minute: 168',
      expect.stringContaining('169 units a minute are more than the budget of 168;'),
    ],
    [
      'too little of both',
      'per_minute: 1, per_day: 2',
      expect.stringContaining(
        '169 units a minute are more than the budget of 1 and 146,400 units a day are more than the budget of 2;',
      ),
    ],
  ])('%s', (_, budget, warning) => {
    const data = costs(budget, metered).find(({ upstream }) => upstream === 'fuji/data-api')!
    expect(warningOf(data)).toEqual(warning)
  })

  test('series grow with what is watched', () => {
    const few = only('blockchain-status', 'primary-blocks')
    const series = (text: string) => seriesOf(plan(configFrom(text), few))
    const one = yaml('')
    const another = one.replace('{ id: p-chain }', '{ id: p-chain }, { id: x-chain }')
    expect(series(another) - series(one)).toBe(41 + 2 * 6)
  })

  test('a collector that may not have its series is warned of, with all its tasks together', () => {
    // Two nodes say six states of two chains each.
    const warnings = (most: number) => {
      const capped = yaml('').replace('collectors: {', `collectors: { blockchain-status: { max_series: ${most} },`)
      return seriesWarnings(plan(configFrom(capped), collectors))
    }
    expect(warnings(24)).toEqual([])
    expect(warnings(23)).toEqual([
      'blockchain-status: about 24 series are more than the 23 that it may have; raise collectors.blockchain-status.max_series, or the last ones are dropped',
    ])
  })
})

describe('config.example.yaml', () => {
  const tasks = plan(loadAsExample(example), collectors)
  const services = costOf(tasks).filter(({ upstream }) => /\/(data|metrics)-api$/.test(upstream))
  const sum = (units: readonly number[]) => units.reduce((all, one) => all + one, 0)
  // Without a key the services allow 1,200,000 units a day and 6,000 a minute.
  const [HALF_A_DAY, HALF_A_MINUTE] = [600_000, 3_000]

  test('costs at most half of what needs no key, and every collector that asks the services has a price', () => {
    expect(sum(services.map(({ perDay }) => perDay))).toBeLessThanOrEqual(HALF_A_DAY)
    const asking = tasks.filter(({ collector }) => collector.uses[0]!.service !== 'node')
    const priced = new Set(services.flatMap(({ collectors: all }) => all.map(([name]) => name)))
    expect([...new Set(asking.map(({ collector }) => collector.name))].filter((name) => !priced.has(name))).toEqual([])
  })

  test('costs no more in the minute after a start, when every task runs at once', () => {
    const units = tasks.map(({ collector, subject, sources, settings: { every } }) => {
      // The second run comes half an interval after the first, if it comes soonest.
      const runs = 1 + Math.max(0, Math.ceil((60_000 - every / 2) / every))
      const calls = collector
        .estimate(subject)
        .calls.filter(
          ({ operation: { service } }) => service !== 'node' && sources.some((source) => source.service === service),
        )
      return runs * sum(calls.map(({ operation, times }) => operation.cost * times))
    })
    expect(sum(units)).toBeLessThanOrEqual(HALF_A_MINUTE)
  })

  test('gets along with its budgets, which are no more together, and with the series that collectors may have', () => {
    expect(services.map(warningOf)).toEqual(services.map(() => undefined))
    expect(seriesWarnings(tasks)).toEqual([])
    expect(sum(services.map(({ budget }) => budget.per_day ?? Infinity))).toBeLessThanOrEqual(HALF_A_DAY)
    expect(sum(services.map(({ budget }) => budget.per_minute ?? Infinity))).toBeLessThanOrEqual(HALF_A_MINUTE)
  })
})

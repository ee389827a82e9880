import { describe, expect, test } from 'vitest'
import { collectors } from '../../src/collectors/index.ts'
import { costOf, seriesOf, warningOf } from '../../src/scheduler/cost.ts'
import { plan } from '../../src/scheduler/plan.ts'
import { configFrom } from '../support/poll.ts'

const yaml = (budget: string) => `
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1" }, { name: node-b, url: "http://127.0.0.1:2" }]
    data_api: { url: "http://127.0.0.1:3", budget: { ${budget} } }
    chains: [{ id: p-chain }, { id: c-chain, evm_chain_id: 43113 }]
    addresses: [{ name: wallet, addresses: ["P-fuji1${'q'.repeat(38)}"] }]
collectors: { evm-blocks: { every: 10s }, primary-blocks: { every: 1m }, pending-rewards: { every: 1h } }
`
const costs = (budget: string, of = collectors) => costOf(plan(configFrom(yaml(budget)), of))
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
    expect([data.perDay, data.perMinute]).toEqual([146_400, 146_400 / 1_440])
  })

  test('an opinion asks each node, a fact the first one', () => {
    const requests = Object.fromEntries(
      costs('').map(({ upstream, collectors: all }) => [upstream, all.map(([name]) => name)]),
    )
    expect(requests['fuji/node-a']).toEqual(
      expect.arrayContaining(['blockchain-status', 'subnet-uptime', 'supply', 'subnet']),
    )
    expect(requests['fuji/node-b']?.toSorted()).toEqual(['blockchain-status', 'subnet-uptime'])
  })

  test.each([
    ['no budget', '', undefined],
    ['enough of both', 'per_minute: 102, per_day: 146400', undefined],
    [
      'too little a day',
      'per_day: 146399',
      'fuji/data-api: 146,400 units a day are more than the budget of 146,399; slow down, with collectors.NAME.every: evm-blocks (86,400 a day), primary-blocks (57,600 a day), pending-rewards (2,400 a day)',
    ],
    [
      'too little a minute',
      'per_minute: 101',
      expect.stringContaining('102 units a minute are more than the budget of 101;'),
    ],
    [
      'too little of both',
      'per_minute: 1, per_day: 2',
      expect.stringContaining(
        '102 units a minute are more than the budget of 1 and 146,400 units a day are more than the budget of 2;',
      ),
    ],
  ])('%s', (_, budget, warning) => {
    const data = costs(budget, metered).find(({ upstream }) => upstream === 'fuji/data-api')!
    expect(warningOf(data)).toEqual(warning)
  })

  test('series grow with what is watched', () => {
    const series = (text: string) => seriesOf(plan(configFrom(text), collectors))
    const one = yaml('')
    const another = one.replace('{ id: p-chain }', '{ id: p-chain }, { id: x-chain }')
    expect(series(another) - series(one)).toBe(41 + 2 * 6)
  })
})

import { describe, expect, test } from 'vitest'
import { pChainGas } from '../../../src/collectors/chains/p-chain-gas.ts'
import { BaseError } from '../../../src/errors.ts'
import { beyond } from '../../recorded/recorded.ts'
import { createPoller, type Poller } from '../../support/poll.ts'

const yaml = `
networks:
  - name: local
    nodes: [{ name: node-2, url: "http://127.0.0.1:9660" }]
`
const recordedAs = (method: string, name: string) => {
  const { response } = beyond.find((one) => one.of === `platform.${method}` && one.case === name)!
  return (response as { result: object }).result
}
const config = recordedAs('getFeeConfig', 'no params')
const state = recordedAs('getFeeState', 'no params')
const unsupported = new BaseError('unsupported', 'no such method')
const late = new BaseError('timeout', 'late')

const published = (poller: Poller) =>
  poller.lines(/p_chain_gas/).map((line) => line.replace(/stakewatch_p_chain_gas_|\{network="local"\}/g, ''))

describe('p-chain-gas (platform.getFeeState, platform.getFeeConfig)', () => {
  test.each<[string, unknown, unknown, string[], number]>([
    // 939,304 of 1,000,000; the price is 1 of the smallest unit, the least that there is.
    ['as recorded', state, config, ['price_tokens 1e-9', 'min_price_tokens 1e-9', 'capacity_ratio 0.939304'], 1],
    [
      'a later block',
      recordedAs('getFeeState', 'node 5 killed 25 s ago'),
      config,
      ['price_tokens 1e-9', 'min_price_tokens 1e-9', 'capacity_ratio 0.95319'],
      1,
    ],
    [
      'a price that has grown, and a full block',
      { ...state, capacity: 0, price: 250 },
      config,
      ['price_tokens 2.5e-7', 'min_price_tokens 1e-9', 'capacity_ratio 0'],
      1,
    ],
    ['a node without the numbers behind the price', state, unsupported, ['price_tokens 1e-9'], 1],
    ['while they cannot be read', state, late, ['price_tokens 1e-9'], 0],
    [
      'no capacity at all has no share',
      state,
      { ...config, maxCapacity: 0 },
      ['price_tokens 1e-9', 'min_price_tokens 1e-9'],
      1,
    ],
    ['a node without the price', unsupported, config, [], 1],
    ['while the price cannot be read', late, config, [], 0],
    ['what is no answer', {}, config, [], 0],
  ])('%s', async (_, stated, configured, lines, ok) => {
    const poller = createPoller(yaml, pChainGas, 0)
    await poller.poll((operation) => (operation === 'platform.getFeeState' ? stated : configured))
    expect(published(poller)).toEqual(lines)
    expect(poller.success()).toEqual([ok])
  })
})

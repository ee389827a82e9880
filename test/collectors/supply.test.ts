import { describe, expect, test } from 'vitest'
import { supply } from '../../src/collectors/supply.ts'
import { BaseError } from '../../src/errors.ts'
import { createPoller, fixture } from '../support/poll.ts'

const yaml = `
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1" }, { name: node-b, url: "http://127.0.0.1:2" }]
    subnets: [{ id: 2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof, name: my-l1 }]
`
const line = (subnet: string, value: string) => `stakewatch_supply_tokens{network="fuji",subnet="${subnet}"} ${value}`
const notFound = new BaseError('rpc_error', 'error -32000', { details: 'fetching current supply failed: not found' })

describe('supply (document 2, platform.getCurrentSupply)', () => {
  test('one fact per subnet, exact to the last digit that a double holds', async () => {
    const poller = createPoller(yaml, supply, 0)
    const asked: unknown[] = []
    await poller.poll((_, { body }, source) => {
      asked.push([source, body['subnetID']])
      return fixture('node/platform.getCurrentSupply.document')
    })
    expect(poller.lines(/supply_tokens/)).toEqual(
      [line('primary', '365865167.637779183'), line('my-l1', '365865167.637779183')].map(near),
    )
    expect(asked).toEqual([
      ['node-a', '11111111111111111111111111111111LpoYY'],
      ['node-a', '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'],
    ])
  })

  test.each([
    ['the live form carries a height', { supply: '720000000000000000', height: '12' }, '720000000'],
    ['a bare number is read like a string', { supply: 1_500_000_000 }, '1.5'],
    ['zero is a value', { supply: '0' }, '0'],
  ])('%s', async (_, answer, expected) => {
    const poller = createPoller(yaml, supply, 0)
    await poller.poll(() => answer)
    expect(poller.lines(/supply_tokens/)).toEqual([line('primary', expected), line('my-l1', expected)])
  })

  test('a subnet without supply is unsupported: success, no sample, also when it had one before', async () => {
    const poller = createPoller(yaml, supply, 0)
    await poller.poll(() => ({ supply: '1000000000' }))
    await poller.poll((_, { body }) =>
      body['subnetID'] === '11111111111111111111111111111111LpoYY' ? { supply: '1' } : notFound,
    )
    expect(poller.lines(/supply_tokens/)).toEqual([line('primary', '1e-9')])
    expect(poller.lines(/collector_success.*my-l1/)).toEqual([
      'stakewatch_collector_success{network="fuji",collector="supply",source="",target="my-l1"} 1',
    ])
    expect(poller.lines(/runs_total.*my-l1.*unsupported/)).toEqual([
      'stakewatch_collector_runs_total{network="fuji",collector="supply",source="",target="my-l1",result="unsupported"} 1',
    ])
  })

  test.each([
    ['another error of the node', new BaseError('rpc_error', 'error -32000', { details: 'database closed' })],
    ['no number', { supply: 'much' }],
    ['negative', { supply: '-1' }],
    ['nothing', {}],
    ['null', null],
  ])('%s is a failure: the old value stays until it expires', async (_, answer) => {
    const poller = createPoller(yaml, supply, 0)
    await poller.poll(() => ({ supply: '1000000000' }))
    poller.clock.now = 899_999
    await poller.poll(() => answer)
    expect(poller.lines(/supply_tokens.*primary/)).toEqual([line('primary', '1')])
    expect(poller.lines(/collector_success.*primary/)).toEqual([
      'stakewatch_collector_success{network="fuji",collector="supply",source="",target="primary"} 0',
    ])
    // Three intervals of five minutes after the answer.
    poller.clock.now = 900_000
    expect(poller.lines(/supply_tokens/)).toEqual([])
  })

  test('a node that is down does not hide what another one says for sure', async () => {
    const poller = createPoller(yaml, supply, 0)
    await poller.poll((_, __, source) => (source === 'node-a' ? new BaseError('network', 'refused') : notFound))
    expect(poller.lines(/runs_total.*result="unsupported"/).map((text) => text.at(-1))).toEqual(['1', '1'])
  })

  test('the second node answers for the first one', async () => {
    const poller = createPoller(yaml, supply, 0)
    await poller.poll((_, __, source) =>
      source === 'node-a' ? new BaseError('timeout', 'late') : { supply: '7000000000' },
    )
    expect(poller.lines(/supply_tokens/)).toEqual([line('primary', '7'), line('my-l1', '7')])
    expect(poller.lines(/collector_success/).every((text) => text.endsWith(' 1'))).toBe(true)
  })
})

/** The decimal text of the double next to an exact amount. */
function near(text: string): string {
  const at = text.lastIndexOf(' ') + 1
  return text.slice(0, at) + String(Number(text.slice(at)))
}

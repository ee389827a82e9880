import { describe, expect, test } from 'vitest'
import { l1Liveness } from '../../../src/collectors/subnets/l1-liveness.ts'
import { BaseError } from '../../../src/errors.ts'
import { asClient } from '../../recorded/as-client.ts'
import { isOtherState } from '../../support/exposition.ts'
import { createPoller, type Upstream, type Poller } from '../../support/poll.ts'

const SUBNET = '231tCXRCx5NgtXjFaYTY3nnHyTBxauN1Q5wCqgJkUDzchPzDmv'
const CHAIN = 'fGCFLZ7U6GWmVfTrh5fWbjjwsqe9FMMkcAGEYiMw1TH5QiPet'
const NEWEST = 'NodeID-6txADf7AQMHhappJS1i7GpcaAFP9gd2Sr'
const NODE_5 = 'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5'
const NODE_6 = 'NodeID-JLDbAAPFmXnPt3zMt3VgQDywZrTMVkG1i'
const NOW = Date.parse('2026-11-22T01:00:00Z')

const yaml = `
networks:
  - name: local
    nodes: [{ name: node-2, url: "http://127.0.0.1:9660" }]
    subnets: [{ id: ${SUBNET}, name: my-l1 }]
    validators:
      - { node_id: ${NODE_5}, subnet: my-l1, name: five }
      - { node_id: ${NODE_6}, subnet: my-l1, name: six }
`

const ofChain = (name: string) => asClient('validators.getCurrentValidators', name)
const ofPlatform = (name: string) => asClient('platform.getCurrentValidators', name)
const blockchains = { blockchains: [{ id: CHAIN, name: 'my-l1', subnetID: SUBNET, vmID: 'vm' }] }

/** Two pairs of a list of nodes are asked for in the end, where the whole list is refused. */
const WELL = asClient('health', 'all up, GET')
const answering =
  (chain: unknown, platform: unknown, others?: unknown, health: unknown = WELL): Upstream =>
  (operation, { body }) => {
    if (operation === 'health.health') return health
    if (operation === 'platform.getBlockchains') return blockchains
    if (operation === 'platform.getCurrentValidators') return platform
    return 'nodeIDs' in body ? others : chain
  }

function published(poller: Poller): Record<string, number> {
  const current = poller.series(/^stakewatch_l1_(?!chain_info)/).filter((one) => !isOtherState(one))
  return Object.fromEntries(
    current.map(({ name, labels: { network: _, subnet: __, node_id: ___, source: ____, ...own }, value }) => [
      `${name.replace('stakewatch_l1_', '')} ${Object.values(own).join()}`.trim(),
      Math.round(value * 10_000) / 10_000,
    ]),
  )
}

describe('l1-liveness (the interface of the chain; document 2, Validator record)', () => {
  test('publishes an L1 with one inactive validator', async () => {
    const poller = createPoller(yaml, l1Liveness, NOW)
    await poller.poll(answering(ofChain('all up, nodeIDs empty list'), ofPlatform('L1')))
    expect(published(poller)).toEqual({
      'validator_connected five': 1,
      'validator_connected six': 1,
      'validator_uptime_ratio five': 1,
      'validator_uptime_ratio six': 0.9368,
      // 310 would be left of 415, and 311.25 are needed.
      'validator_may_stop five': 0,
      'validator_may_stop six': 1,
      'chain_state running': 1,
      'weight total': 415,
      'weight active': 410,
      'weight connected': 410,
      // 410 / 415 = 0.98795; without one that weighs 100 310 / 415 = 0.74699, so that the L1 would stand still.
      'liveness_margin messages,now': 0.318,
      'liveness_margin blocks,now': 0.238,
      'liveness_margin health,now': 0.188,
      'liveness_margin messages,greatest_stops': 0.077,
      'liveness_margin blocks,greatest_stops': -0.003,
      'liveness_margin health,greatest_stops': -0.053,
      // Next is the one that weighs 10, with 480 of the smallest unit: 400 / 415 = 0.96386.
      'liveness_margin messages,balance_ends': 0.2939,
      'liveness_margin blocks,balance_ends': 0.2139,
      'liveness_margin health,balance_ends': 0.1639,
    })
    expect(poller.success()).toEqual([1])
  })

  test.each([
    ['a node that does not track the chain', 'node that does not track the chain', 'untracked', 'all up, GET'],
    [
      'a node that tracks the chain and has no plugin for it',
      'node starting',
      'failed',
      'the plugin of an L1 chain did',
    ],
    ['a node that has not finished its P-Chain', 'node starting', 'bootstrapping', 'node 4 restarted while'],
    ['a chain that waits for 75 % of its weight', 'L1 chain: all its nodes restarted', 'bootstrapping', 'all up, GET'],
    ['a chain whose process has died', 'asked at node 6, whose plugin died', 'dead', 'all up, GET'],
  ])('%s is published as such, and previous values are withdrawn', async (_, moment, state, health) => {
    const poller = createPoller(yaml, l1Liveness, NOW)
    await poller.poll(answering(ofChain('all up, nodeIDs empty list'), ofPlatform('L1')))
    poller.clock.now += 60_000
    await poller.poll(answering(ofChain(moment), ofPlatform('L1'), undefined, asClient('health', health)))
    expect(published(poller)).toEqual({ [`chain_state ${state}`]: 1 })
    expect(poller.success()).toEqual([1])
  })

  test("fails while the node's P-Chain bootstraps, as it has no L1 yet", async () => {
    const poller = createPoller(yaml, l1Liveness, NOW)
    await poller.poll(() => asClient('platform.getHeight', 'node starting'))
    expect(published(poller)).toEqual({ 'chain_state bootstrapping': 1 })
    expect(poller.success()).toEqual([0])
    expect(poller.log).toEqual([])
  })

  test('a node without a health page only shows that it does not serve the chain', async () => {
    const poller = createPoller(yaml, l1Liveness, NOW)
    const closed = new BaseError('unsupported', 'HTTP 404')
    await poller.poll(answering(ofChain('node starting'), ofPlatform('L1'), undefined, closed))
    expect(published(poller)).toEqual({ 'chain_state untracked': 1 })
  })

  test('publishes the others and keeps weights while the chain does not know a new validator', async () => {
    const poller = createPoller(yaml, l1Liveness, NOW)
    await poller.poll(answering(ofChain('all up, nodeIDs empty list'), ofPlatform('L1')))
    const before = published(poller)
    poller.clock.now += 60_000
    const asked: unknown[] = []
    const answers = answering(
      ofChain('a validator was registered under a minute ago, no nodeIDs'),
      ofPlatform('node 5 killed'),
      ofChain('node 5 frozen'),
    )
    await poller.poll((operation, wire, source) => {
      if (operation === 'validators.getCurrentValidators') asked.push(wire.body['nodeIDs'])
      return answers(operation, wire, source)
    })
    expect(asked).toEqual([undefined, expect.not.arrayContaining([NEWEST])])
    expect(asked[1]).toHaveLength(6)
    expect(published(poller)).toEqual({
      ...before,
      'validator_connected five': 0,
      'validator_uptime_ratio five': 0.8536,
      'validator_uptime_ratio six': 0.9558,
    })
    // A minute later it knows all of them.
    poller.clock.now += 60_000
    await poller.poll(answering(ofChain('over a minute after a registration'), ofPlatform('node 5 killed')))
    expect(published(poller)['weight total']).toBe(422)
  })

  test('stops asking a chain that refuses because of an unrequested validator', async () => {
    const poller = createPoller(yaml, l1Liveness, NOW)
    const refusal = ofChain('a validator was registered under a minute ago, no nodeIDs')
    let asked = 0
    const answers = answering(refusal, ofPlatform('node 5 killed'), refusal)
    await poller.poll((operation, wire, source) => {
      if (operation === 'validators.getCurrentValidators') asked += 1
      return answers(operation, wire, source)
    })
    expect(asked).toBe(2)
    expect(published(poller)).toEqual({})
    expect(poller.success()).toEqual([0])
  })

  test.each<[string, unknown, unknown, Record<string, number>, number]>([
    [
      'without the balances only what follows from them is missing',
      ofChain('all up, nodeIDs empty list'),
      new BaseError('timeout', 'late'),
      { 'weight total': 415, 'liveness_margin blocks,now': 0.238 },
      0,
    ],
    ['when the call fails, nothing is known', new BaseError('timeout', 'late'), ofPlatform('L1'), {}, 0],
    ['an L1 without validators has no margin', { validators: [] }, { validators: [] }, { 'weight total': 0 }, 1],
  ])('%s', async (_, chain, platform, expected, ok) => {
    const poller = createPoller(yaml, l1Liveness, NOW)
    await poller.poll(answering(chain, platform))
    const of = published(poller)
    expect(of).toMatchObject(expected)
    expect(Object.keys(of).filter((key) => key.includes('balance_ends'))).toEqual([])
    expect(poller.success()).toEqual([ok])
  })

  test.each([
    ['no chain of the subnet is listed', { blockchains: [{ id: 'c', name: 'c', subnetID: 'other', vmID: 'v' }] }, 1],
    [
      'it may be among the unreadable records',
      {
        blockchains: [
          { id: 'c', name: 'c', subnetID: 'other', vmID: 'v' },
          { id: 7, subnetID: SUBNET },
        ],
      },
      0,
    ],
    ['the list fails', new BaseError('timeout', 'late'), 0],
  ])('%s', async (_, list, ok) => {
    const poller = createPoller(yaml, l1Liveness, NOW)
    const answers = answering(ofChain('all up, nodeIDs empty list'), ofPlatform('L1'))
    await poller.poll((operation, wire, source) =>
      operation === 'platform.getBlockchains' ? list : answers(operation, wire, source),
    )
    expect(published(poller)).toEqual({})
    expect(poller.success()).toEqual([ok])
  })

  test('takes a chain that is configured newly although an older list lacks it', async () => {
    const young = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
    const config = yaml.replace('    validators:', `    chains: [{ id: ${young}, name: young }]\n    validators:`)
    const poller = createPoller(config, l1Liveness, NOW)
    const answers = answering(ofChain('all up, nodeIDs empty list'), ofPlatform('L1'))
    const lists = [
      blockchains,
      { blockchains: [...blockchains.blockchains, { id: young, name: 'young', subnetID: SUBNET, vmID: 'vm' }] },
    ]
    await poller.poll((operation, ...rest) =>
      operation === 'platform.getBlockchains' ? lists.shift() : answers(operation, ...rest),
    )
    expect(poller.series('stakewatch_l1_chain_info').map(({ labels }) => labels['id'])).toEqual([young])
  })
})

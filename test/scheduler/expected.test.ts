import { describe, expect, test } from 'vitest'
import { type AnyCollector, defineCollector } from '../../src/collectors/define.ts'
import { type Metric, ofAddress, ofChain, ofValidator } from '../../src/metrics/define.ts'
import { getCurrentSupply } from '../../src/operations/node/platform-subnets.ts'
import { canTell, type Declared, expectedIn, isAbout } from '../../src/scheduler/expected.ts'
import { plan } from '../../src/scheduler/plan.ts'
import { configFrom } from '../support/poll.ts'

const ONE = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'
const L1 = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
const config = configFrom(`
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1" }]
    data_api: { url: "http://127.0.0.1:9" }
    validators:
      - { node_id: ${ONE}, name: one, expect: { delegation_fee: 0.02, auto_renew: false } }
      - { node_id: ${ONE}, subnet: l1, expect: { min_stake: 0 } }
    subnets: [{ id: ${L1}, name: l1 }]
    chains: [{ id: p-chain }, { id: c-chain, name: c, expect: { status: validating } }]
    addresses:
      - { name: treasury, addresses: [P-fuji10ke8vrnt6nwcsnfgrj7d3e7ay7ynv62l72s4h7], min_balance: 0, expect: { outgoing: none } }
      - { name: other, addresses: ["0x0000000000000000000000000000000000000002"] }
  - name: test
    nodes: [{ name: node-a, url: "http://127.0.0.1:1" }]
    chains: [{ id: c-chain, name: c }]
`)

const fee = { labels: { network: 'fuji', subnet: 'primary', validator: 'one' }, expectation: 'delegation_fee' }
const stake = { labels: { network: 'fuji', subnet: 'l1', validator: ONE }, expectation: 'min_stake' }
const status = { labels: { network: 'fuji', chain: 'c' }, expectation: 'status' }
const balance = { labels: { network: 'fuji', address: 'treasury' }, expectation: 'min_balance' }

test('what is declared, by what it is declared of', () => {
  expect(expectedIn(config)).toEqual([
    fee,
    { ...fee, expectation: 'auto_renew' },
    stake,
    status,
    balance,
    { ...balance, expectation: 'outgoing' },
  ])
})

describe('a task can tell', () => {
  const things = { validator: ofValidator, chain: ofChain, address: ofAddress }
  const of = (thing: keyof typeof things, own: string[] = []) =>
    things[thing].gauge('stakewatch_it_expectation_met', { help: 'It.', labels: [...own, 'expectation'] })

  /** Keys of the tasks of a collector with this metric and these subjects that can tell. */
  function tellers(metric: Metric, subjects: AnyCollector['subjects'], declared: Declared) {
    const collector = defineCollector({
      name: 'it',
      about: 'It.',
      every: '1m',
      uses: [getCurrentSupply],
      observer: 'any',
      metrics: [ofChain.gauge('stakewatch_it', { help: 'It.' }), metric],
      subjects,
      estimate: () => ({ calls: [], series: 0 }),
      collect: async () => ({ samples: [] }),
    })
    const tasks = plan(config, [collector]).filter((task) => canTell(task, declared))
    return tasks.map(({ key }) => key)
  }
  const subnets: AnyCollector['subjects'] = (network) =>
    network.subnets.map(({ name }) => ({ name, labels: { subnet: name } }))
  const chains: AnyCollector['subjects'] = (network) =>
    network.chains.map(({ name }) => ({ name, labels: { chain: name } }))
  const wallets: AnyCollector['subjects'] = (network) =>
    network.addresses.flatMap(({ name }) =>
      ['p-chain', 'c'].map((chain) => ({ name: `${name}:${chain}`, labels: { address: name, chain } })),
    )

  test.each([
    ['of the validators of its subnet', of('validator'), subnets, fee, ['it/fuji/primary']],
    ['of those of an L1', of('validator'), subnets, stake, ['it/fuji/l1']],
    [
      'of any validator, if it looks at all of them',
      of('validator'),
      () => [{ name: 'all', labels: {} }],
      stake,
      ['it/fuji/all'],
    ],
    ['of its chain in its network', of('chain'), chains, status, ['it/fuji/c']],
    [
      'of its wallet, on each chain',
      of('address', ['chain']),
      wallets,
      balance,
      ['it/fuji/treasury:p-chain', 'it/fuji/treasury:c'],
    ],
    ['nothing of a chain, if it judges wallets there', of('address', ['chain']), wallets, status, []],
    ['nothing, if it judges nothing', ofChain.gauge('stakewatch_else', { help: 'It.' }), chains, status, []],
  ] as const)('%s', (_, metric, subjects, declared, keys) => {
    expect(tellers(metric, subjects, declared)).toEqual(keys)
  })
})

test.each([
  ['the same thing, with more labels', { ...status.labels, source: 'node-a' }, 'status', true],
  ['another word', status.labels, 'gas_limit', false],
  ['another chain', { ...status.labels, chain: 'p-chain' }, 'status', false],
])('a row is about a declaration: %s', (_, labels, expectation, isIt) => {
  expect(isAbout({ labels, expectation, expected: 'a', found: 'a', isMet: true }, status)).toBe(isIt)
})

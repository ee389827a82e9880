import { describe, expect, test } from 'vitest'
import { blockchainStatus } from '../../../src/collectors/chains/blockchain-status.ts'
import { BaseError } from '../../../src/errors.ts'
import { createPoller, fixture } from '../../support/poll.ts'

const L1 = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
const yaml = `
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1" }, { name: node-b, url: "http://127.0.0.1:2" }]
    chains: [{ id: p-chain, name: p-chain }, { id: ${L1}, name: my-l1 }]
`
const all = ['validating', 'created', 'preferred', 'syncing', 'unknown', 'other']
const lines = (chain: string, source: string, current: string) =>
  all.map(
    (state) =>
      `stakewatch_blockchain_status{network="fuji",chain="${chain}",source="${source}",state="${state}"} ${state === current ? 1 : 0}`,
  )

describe('blockchain-status (document 2, States)', () => {
  test('asks each node for each chain by its name on nodes', async () => {
    const poller = createPoller(yaml, blockchainStatus, 0)
    await poller.poll((_, __, source) =>
      source === 'node-a' ? fixture('node/platform.getBlockchainStatus.document') : { status: 'Syncing' },
    )
    expect(poller.asked.map(({ operation, source, body }) => [operation, source, body['blockchainID']])).toEqual([
      ['platform.getBlockchainStatus', 'node-a', 'P'],
      ['platform.getBlockchainStatus', 'node-b', 'P'],
      ['platform.getBlockchainStatus', 'node-a', L1],
      ['platform.getBlockchainStatus', 'node-b', L1],
    ])
    expect(poller.lines(/blockchain_status/)).toEqual([
      ...lines('p-chain', 'node-a', 'validating'),
      ...lines('p-chain', 'node-b', 'syncing'),
      ...lines('my-l1', 'node-a', 'validating'),
      ...lines('my-l1', 'node-b', 'syncing'),
    ])
  })

  test.each([
    ['Validating', 'validating'],
    ['Created', 'created'],
    ['Preferred', 'preferred'],
    ['Syncing', 'syncing'],
    ['Unknown', 'unknown'],
    ['Hibernating', 'other'],
  ])('%s is the state %s, and only that', async (status, state) => {
    const poller = createPoller(yaml, blockchainStatus, 0)
    await poller.poll(() => ({ status }))
    expect(poller.lines(/blockchain_status.*my-l1.*node-b/)).toEqual(lines('my-l1', 'node-b', state))
  })

  const SUBNET = '22KZNkRmskZvVa1jbeuhv4wHTCMLXmK5ypLjCiVuHGUZiDz6Y2'
  const ON_PRIMARY = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
  const ON_SUBNET = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'
  const OTHER = 'NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN'
  const listed = { blockchains: [{ id: L1, name: 'my l1', subnetID: SUBNET, vmID: 'vm' }] }
  const chains: Record<string, string> = { 'p-chain': 'P', 'c-chain': 'C', 'my-l1': L1 }

  /** What is said of the expectation of `chain` when a node of this id gives this status: 1, 0, or nothing. */
  async function metBy(nodeId: string | undefined, chain: string, declared: string, status: unknown, list?: unknown) {
    const expected = `, expect: { status: ${declared} }`
    const text = `
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1"${nodeId ? `, node_id: ${nodeId}` : ''} }]
    subnets: [{ id: ${SUBNET}, name: my-subnet }]
    validators: [{ node_id: ${ON_PRIMARY} }, { node_id: ${ON_SUBNET}, subnet: my-subnet }]
    chains:
      - { id: p-chain, name: p-chain }
      - { id: c-chain, name: c-chain }
      - { id: ${L1}, name: my-l1 }
`.replace(`name: ${chain} }`, `name: ${chain}${expected} }`)
    const poller = createPoller(text, blockchainStatus, 0)
    const asked: string[] = []
    await poller.poll((operation, { body }) => {
      asked.push(operation)
      if (operation === 'platform.getBlockchains') return list ?? listed
      return { status: body['blockchainID'] === chains[chain] ? status : 'Validating' }
    })
    const met = poller.list('stakewatch_blockchain_status_expectation_met')
    const states = poller.lines(new RegExp(`^stakewatch_blockchain_status\\{.*"${chain}".* 1$`))
    return { met, states: states.length, lists: asked.filter((one) => one === 'platform.getBlockchains').length }
  }

  test.each<[string, string | undefined, string, string, number[]]>([
    ['a validator of the subnet that validates', ON_SUBNET, 'my-l1', 'Validating', [1]],
    // What a live node says of the chain of a subnet that it does not track.
    ['a validator of the subnet that does not track it', ON_SUBNET, 'my-l1', 'Created', [0]],
    ['a validator that is out of the set', ON_SUBNET, 'my-l1', 'Syncing', [0]],
    ['a status that is not known', ON_SUBNET, 'my-l1', 'Hibernating', [0]],
    ['a node that only observes', OTHER, 'my-l1', 'Syncing', []],
    ['a node that does not track the subnet', OTHER, 'my-l1', 'Created', []],
    ['a node with unknown id', undefined, 'my-l1', 'Syncing', []],
    ['any node that validates', undefined, 'my-l1', 'Validating', [1]],
    ['a validator of another subnet', ON_PRIMARY, 'my-l1', 'Created', []],
    ['a validator of the primary network', ON_PRIMARY, 'c-chain', 'Syncing', [0]],
    ['an L1 validator, which need not be on the primary network', ON_SUBNET, 'c-chain', 'Syncing', []],
  ])('`validating` is expected of those that have to: %s', async (_, nodeId, chain, status, met) => {
    const published = await metBy(nodeId, chain, 'validating', status)
    expect([published.met, published.states]).toEqual([met, 1])
  })

  test.each([
    ['a live node, which always says Syncing', 'Syncing', [1]],
    ['a validator as the document has it', 'Validating', [1]],
    ['a node that does not run it', 'Created', [0]],
  ])('of the P-Chain only `syncing` can be expected: %s', async (_, status, met) => {
    for (const nodeId of [ON_PRIMARY, OTHER]) {
      expect((await metBy(nodeId, 'p-chain', 'syncing', status)).met).toEqual(met)
    }
  })

  test('the list of blockchains is asked for only by a validator that does not validate', async () => {
    const lists = async (nodeId: string, chain: string, status: string) =>
      (await metBy(nodeId, chain, 'validating', status)).lists
    expect([
      await lists(ON_SUBNET, 'my-l1', 'Created'),
      await lists(ON_SUBNET, 'my-l1', 'Validating'),
      await lists(OTHER, 'my-l1', 'Created'),
      await lists(ON_PRIMARY, 'c-chain', 'Syncing'),
    ]).toEqual([1, 0, 0, 0])
  })

  test.each<[string, unknown, { met: number[]; states: number }]>([
    ['lacks the chain', { blockchains: [{ ...listed.blockchains[0], id: SUBNET }] }, { met: [], states: 1 }],
    ['does not say whose it is', { blockchains: [{ id: L1, name: 'my l1', vmID: 'vm' }] }, { met: [], states: 1 }],
    ['the node does not offer', new BaseError('unsupported', 'no method'), { met: [], states: 1 }],
    ['does not come', new BaseError('timeout', 'late'), { met: [], states: 0 }],
  ])('a list that %s judges nothing', async (_, list, expected) => {
    expect(await metBy(ON_SUBNET, 'my-l1', 'validating', 'Created', list)).toMatchObject(expected)
  })
})

import { describe, expect, test } from 'vitest'
import { evmNodeHeads } from '../../../src/collectors/nodes/evm-node-heads.ts'
import { BaseError } from '../../../src/errors.ts'
import { asClient } from '../../recorded/as-client.ts'
import { isOtherState } from '../../support/exposition.ts'
import { createPoller, type Upstream, type Poller } from '../../support/poll.ts'
import { rowsOf } from '../../support/rows.ts'

const L1 = 'fGCFLZ7U6GWmVfTrh5fWbjjwsqe9FMMkcAGEYiMw1TH5QiPet'
const NOW = Date.parse('2026-11-22T01:00:00Z')
const MINUTE = 60_000

const yaml = (chains = `{ id: ${L1}, name: my-l1, evm_chain_id: 77001 }`) => `
networks:
  - name: local
    nodes: [{ name: node-2, url: "http://127.0.0.1:9660" }]
    chains: [${chains}]
`
const onC = '{ id: c-chain, evm_chain_id: 43112 }'

interface Answers {
  health?: unknown
  block?: unknown
  fee?: unknown
  id?: unknown
}

const later = { 'my-l1': 'L1, over 100 blocks later', 'c-chain': 'C-Chain, some blocks later' } as const

/** What node 2 says of a chain in the end, but for what is given. */
function answering(change: Answers = {}, chain: keyof typeof later = 'my-l1'): Upstream {
  const {
    block = asClient('eth_getBlockByNumber', later[chain]),
    fee = asClient('eth_baseFee', later[chain]),
    id = asClient('eth_chainId', chain === 'my-l1' ? 'L1' : 'C-Chain'),
    health = asClient('health', 'all up, GET'),
  } = change
  const answers: Readonly<Record<string, unknown>> = {
    eth_getBlockByNumber: block,
    eth_baseFee: fee,
    eth_chainId: id,
    'health.health': health,
  }
  return (operation) => answers[operation]
}

/** What is published of one chain by one node; of the states the current one. */
function published({ series }: Poller): Record<string, number> {
  const current = series(/^stakewatch_node_evm_/).filter((one) => !isOtherState(one))
  return Object.fromEntries(
    current.map(({ name, labels: { network: _, chain: __, source: ___, ...own }, value }) => [
      [name.replace('stakewatch_node_evm_', ''), ...Object.values(own)].join(' '),
      value,
    ]),
  )
}

/** 2026-11-22T00:46:33Z; the L1 asks for 1e9 of the smallest unit per gas, at least. */
const ofL1 = {
  'chain_state running': 1,
  head_height: 109,
  head_timestamp_seconds: 1_795_308_393,
  // 21,000 of 20 million.
  head_gas_used_ratio: 0.00105,
  'base_fee_tokens newest': 1e-9,
  'base_fee_tokens next': 1e-9,
}

describe("evm-node-heads (the chain's own interface on a node)", () => {
  test('the C-Chain', async () => {
    const poller = createPoller(yaml(onC), evmNodeHeads, NOW)
    await poller.poll(answering({}, 'c-chain'))
    expect(published(poller)).toEqual({
      'chain_state running': 1,
      head_height: 4,
      // 2026-11-22T00:51:28Z.
      head_timestamp_seconds: 1_795_308_688,
      head_gas_used_ratio: 0.0021,
      // The smallest unit.
      'base_fee_tokens newest': 1e-18,
      'base_fee_tokens next': 1e-18,
    })
  })

  test('asks each node and EVM chain for newest block, chain id and next fee', async () => {
    const chains = `${onC}, { id: ${L1}, evm_chain_id: 77001 }, { id: x-chain }`
    const poller = createPoller(yaml(chains), evmNodeHeads, NOW)
    await poller.poll((operation, { path }, source) =>
      answering({}, path.includes(L1) ? 'my-l1' : 'c-chain')(operation, { path, query: {}, body: {} }, source),
    )
    expect(poller.asked.map(({ operation, source, path, args }) => [operation, path, args, source])).toEqual(
      ['C', L1].flatMap((chain) => [
        ['eth_getBlockByNumber', `/ext/bc/${chain}/rpc`, ['latest', false], 'node-2'],
        ['eth_chainId', `/ext/bc/${chain}/rpc`, [], 'node-2'],
        ['eth_baseFee', `/ext/bc/${chain}/rpc`, [], 'node-2'],
      ]),
    )
  })

  test.each([
    ['a node that does not track the chain', 'L1, node that does not track it', 'untracked', 'all up, GET'],
    ['a node without a plugin for the chain', 'node starting', 'failed', 'the plugin of an L1 chain did not start'],
    ['a node that has just started', 'node starting', 'bootstrapping', 'node 4 restarted while'],
    ['a chain that waits for its validators', 'L1 chain: all its nodes restarted', 'bootstrapping', 'all up, GET'],
    ['a chain whose process has died', 'asked at a node whose L1 plugin died', 'dead', 'all up, GET'],
  ])('%s is published as such, and previous values are withdrawn', async (_, moment, state, health) => {
    const poller = createPoller(yaml(), evmNodeHeads, NOW)
    await poller.poll(answering())
    expect(published(poller)).toEqual(ofL1)
    poller.clock.now += MINUTE
    await poller.poll(answering({ block: asClient('eth_blockNumber', moment), health: asClient('health', health) }))
    expect(published(poller)).toEqual({ [`chain_state ${state}`]: 1 })
    expect(poller.value('stakewatch_collector_success')).toBe(1)
    poller.clock.now += MINUTE
    await poller.poll(answering())
    expect(published(poller)).toEqual(ofL1)
  })

  test.each([
    ['the C-Chain', '{ id: c-chain }', 'c-chain'],
    ['a chain of an L1', `{ id: ${L1}, name: my-l1 }`, 'my-l1'],
  ] as const)('%s without a configured EVM chain id is not asked for it', async (_, chain, name) => {
    const poller = createPoller(yaml(chain), evmNodeHeads, NOW)
    await poller.poll(answering({}, name))
    expect(published(poller)).toMatchObject({ 'chain_state running': 1 })
    expect(poller.asked.map(({ operation }) => operation)).toEqual(['eth_getBlockByNumber', 'eth_baseFee'])
  })

  test('publishes nothing for a chain without id on a node that serves no EVM there', async () => {
    const poller = createPoller(yaml(`{ id: ${L1}, name: my-l1 }`), evmNodeHeads, NOW)
    const absent = new BaseError('unsupported', 'the node does not serve it', { details: '404 page not found' })
    await poller.poll(answering({ block: absent }))
    expect(published(poller)).toEqual({})
    expect(poller.value('stakewatch_collector_success')).toBe(1)
  })

  test('refuses a node with another chain at that place, and publishes nothing of it', async () => {
    const poller = createPoller(yaml(), evmNodeHeads, NOW)
    await poller.poll(answering({ id: asClient('eth_chainId', 'C-Chain') }))
    expect(published(poller)).toEqual({})
    expect(poller.value('stakewatch_collector_success')).toBe(0)
    expect(poller.log).toMatchObject([
      {
        code: 'bad_response',
        reason: 'the node serves another EVM chain than `evm_chain_id` says',
        details: 'its eth_chainId is 43112',
      },
    ])
  })

  const NO_METHOD = asClient('eth_nonsense', 'L1')
  const FAILED = new BaseError('timeout', 'late')
  const block = asClient('eth_getBlockByNumber', later['my-l1']) as Readonly<Record<string, string>>
  const { 'base_fee_tokens next': _, ...withoutNext } = ofL1
  const { 'base_fee_tokens newest': __, ...withoutNewest } = ofL1
  const { head_gas_used_ratio: ___, ...withoutGas } = ofL1

  test.each<[string, Answers, Record<string, number>, number]>([
    ['a virtual machine without eth_baseFee', { fee: NO_METHOD }, withoutNext, 1],
    ['a next fee that cannot be read now: that of before stays', { fee: FAILED }, ofL1, 0],
    ['a block without a gas limit', { block: { ...block, gasLimit: '0x0' } }, withoutGas, 1],
    ['a block without a fee', { block: { ...block, baseFeePerGas: undefined } }, withoutNewest, 1],
    ['a fee in another form', { block: { ...block, baseFeePerGas: '25' } }, ofL1, 0],
    ['a block without a time', { block: { ...block, timestamp: undefined } }, ofL1, 0],
    ['no block', { block: null }, ofL1, 0],
    ['a chain without the interface', { block: NO_METHOD }, {}, 1],
    ['a chain that does not tell its number', { id: NO_METHOD }, {}, 1],
    ['no answer', { block: FAILED }, ofL1, 0],
    ['another error of the node', { block: new BaseError('rpc_error', 'error -32000', { details: 'no' }) }, ofL1, 0],
    ['a server that fails', { block: new BaseError('http_status', 'HTTP 500', { details: 'oops' }) }, ofL1, 0],
    ['a proxy without the path', { block: new BaseError('unsupported', 'HTTP 404', { details: '<html>' }) }, {}, 1],
  ])('%s', async (_, change, expected, ok) => {
    const poller = createPoller(yaml(), evmNodeHeads, NOW)
    await poller.poll(answering())
    poller.clock.now += MINUTE
    await poller.poll(answering(change))
    expect(published(poller)).toEqual(expected)
    expect(poller.value('stakewatch_collector_success')).toBe(ok)
  })

  const at = (number: number, seconds = 1_795_308_393) => ({
    ...block,
    number: `0x${number.toString(16)}`,
    timestamp: `0x${seconds.toString(16)}`,
  })

  /** What the node says a minute apart, `late9` with a time in the future; height and success after each run. */
  test.each(
    rowsOf(`
      a chain that grows or rests                   | 9 9 700        | 9/1 9/1 700/1
      // 11 years and a half with 10 blocks a second are 3.6 billion.
      a first height that no chain can have         | 10000000000 9  | -/0 9/1
      // 10,000 a second while a node catches up, for a minute and ten that are granted: 6.6 million.
      a height that the chain cannot have reached   | 9 7000000 10   | 9/1 9/0 10/1
      a height from behind                          | 9 8 9          | 9/1 9/0 9/1
      // An hour and a minute after the first run: an hour is granted to clocks.
      a time in the future                          | 9 late10 11    | 9/1 9/0 11/1
      // Refused at minutes 1 to 5, when what was known expires; at minute 6 the answers have agreed for five minutes.
      a restart from zero, accepted in the end      | 9 1 2 3 4 5 6  | 9/1 9/0 9/0 9/0 9/0 -/0 6/1
    `),
  )('%s', async (_, heights, expected) => {
    const poller = createPoller(yaml(), evmNodeHeads, NOW)
    const seen: string[] = []
    for (const height of heights.split(' ')) {
      const time = height.startsWith('late') ? NOW / 1_000 + 3_661 : undefined
      await poller.poll(answering({ block: at(Number(height.replace('late', '')), time) }))
      seen.push(`${published(poller)['head_height'] ?? '-'}/${poller.value('stakewatch_collector_success')}`)
      poller.clock.now += MINUTE
    }
    expect(seen.join(' ')).toBe(expected)
  })
})

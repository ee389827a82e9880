// What a preset fills in, and that each key that is written wins.

import { describe, expect, test } from 'vitest'
import { collectors } from '../../src/collectors/index.ts'
import type { Network } from '../../src/config/schema.ts'
import { costOf, warningOf } from '../../src/budget/cost.ts'
import { plan } from '../../src/scheduler/plan.ts'
import { configFrom } from '../support/poll.ts'

function networkFrom(keys: string): Network {
  return configFrom(`networks: [{ ${keys} }]`).networks[0]!
}

const shown = ({ network, nodes, data_api, metrics_api, chains, l1_fee, delegation }: Network) => ({
  network,
  nodes: nodes.map(({ name, url }) => `${name} ${url.reveal()}`),
  data: data_api && {
    url: data_api.url.reveal(),
    network: data_api.network,
    key: data_api.key?.reveal(),
    header: data_api.key_header,
    budget: data_api.budget,
  },
  metrics: metrics_api && { url: metrics_api.url.reveal(), budget: metrics_api.budget },
  chains: chains.map(({ name, evm_chain_id }) => [name, evm_chain_id]),
  fee: l1_fee.excess_constant,
  delegation: delegation.min_delegation,
})

// The public tier of each service: request units without a key.
const DATA = {
  url: 'https://data-api.avax.network',
  key: undefined,
  header: 'x-glacier-api-key',
  budget: { per_minute: 6_000, per_day: 1_200_000 },
}
const METRICS = { url: 'https://metrics.avax.network', budget: { per_minute: 8_000, per_day: 1_200_000 } }
const chainsOf = (evm: number | undefined) => [
  ['p-chain', undefined],
  ['x-chain', undefined],
  ['c-chain', evm],
]
const MAINNET = {
  network: 'mainnet',
  nodes: ['public https://api.avax.network'],
  data: { ...DATA, network: 'mainnet' },
  metrics: METRICS,
  chains: chainsOf(43_114),
  fee: 1_246_488_515,
  delegation: 25,
}
const FUJI = {
  network: 'fuji',
  nodes: ['public https://api.avax-test.network'],
  data: { ...DATA, network: 'fuji' },
  metrics: METRICS,
  chains: chainsOf(43_113),
  fee: 51_937_021,
  delegation: 1,
}

describe('a preset', () => {
  test.each([
    ['mainnet', MAINNET],
    ['fuji', FUJI],
    [
      'local',
      {
        network: 'custom',
        nodes: ['local http://127.0.0.1:9650'],
        data: undefined,
        metrics: undefined,
        chains: chainsOf(undefined),
        fee: 865_617,
        delegation: 25,
      },
    ],
  ])('%s stands for all that is public, whatever the network is called', (preset, known) => {
    expect(shown(networkFrom(`name: mine, preset: ${preset}`))).toEqual(known)
  })

  test.each([
    ['a key', 'data_api: { key: mine }', { ...MAINNET, data: { ...MAINNET.data, key: 'mine' } }],
    [
      'a part of a budget',
      'data_api: { budget: { per_day: 5 } }',
      { ...MAINNET, data: { ...MAINNET.data, budget: { per_minute: 6_000, per_day: 5 } } },
    ],
    [
      'an address of a service and the header of its key',
      'data_api: { url: "https://data.example", key_header: x-mine }',
      { ...MAINNET, data: { ...MAINNET.data, url: 'https://data.example', header: 'x-mine' } },
    ],
    [
      'an address of the metrics service',
      'metrics_api: { url: "https://metrics.example" }',
      { ...MAINNET, metrics: { ...METRICS, url: 'https://metrics.example' } },
    ],
    [
      'a node: the public one is not asked',
      'nodes: [{ name: a, url: "http://10.0.0.5:9650" }]',
      { ...MAINNET, nodes: ['a http://10.0.0.5:9650'] },
    ],
    ['no node at all', 'nodes: []', { ...MAINNET, nodes: [] }],
    ['other chains', 'chains: [{ id: p-chain, name: p }]', { ...MAINNET, chains: [['p', undefined]] }],
    [
      'a number of the network',
      'l1_fee: { excess_constant: 5 }, delegation: { min_delegation: 6 }',
      { ...MAINNET, fee: 5, delegation: 6 },
    ],
  ])('gives way to what is written: %s', (_, keys, known) => {
    expect(shown(networkFrom(`name: mine, preset: mainnet, ${keys}`))).toEqual(known)
  })

  test.each(['mainnet', 'fuji', 'local'])('%s names the network that has no name of its own', (preset) => {
    expect(networkFrom(`preset: ${preset}`).name).toBe(preset)
    expect(networkFrom(`preset: ${preset}, name: mine`).name).toBe('mine')
  })

  test('two networks of one preset need a name', () => {
    expect(() => configFrom('networks: [{ preset: fuji }, { preset: fuji }]')).toThrow(/networks\[1\]\.name: /)
  })

  test('the node on this machine may be on a public network', () => {
    expect(networkFrom('name: mine, preset: local, network: fuji')).toMatchObject({
      network: 'fuji',
      l1_fee: { excess_constant: 51_937_021 },
    })
  })

  test('wallets on the EVM chain of a preset name it', () => {
    const wallet = '{ name: relayer, addresses: ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"], chains: [c-chain] }'
    expect(networkFrom(`name: fuji, preset: fuji, addresses: [${wallet}]`).addresses).toHaveLength(1)
  })

  test('its budgets do for its chains and some validators', () => {
    const ids = [
      'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
      'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ',
      'NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN',
      'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu',
    ]
    const config = configFrom(
      `networks: [{ name: fuji, preset: fuji, validators: [${ids.map((id) => `{ node_id: ${id} }`).join(', ')}] }]`,
    )
    expect(costOf(plan(config, collectors)).flatMap((cost) => warningOf(cost) ?? [])).toEqual([])
  })
})

// What is known of a network by its name: its numbers, its addresses and its chains.

import { describe, expect, test } from 'vitest'
import { uptime } from '../../src/collectors/validators/uptime.ts'
import { BaseError } from '../../src/errors.ts'
import { configFrom, createPoller } from '../support/poll.ts'

const DATA = 'url: "https://data.example"'

function knownOf(keys: string) {
  const [network] = configFrom(`networks: [{ ${keys} }]`).networks
  return {
    network: network!.network,
    data: network!.data_api?.network,
    upgrade: network!.upgrade_time,
    fee: Object.values(network!.l1_fee),
    delegation: Object.values(network!.delegation),
  }
}

function refusalOf(keys: string): string[] {
  try {
    configFrom(`networks: [{ ${keys} }]`)
    return []
  } catch (error) {
    if (error instanceof BaseError) return error.message.split('\n').map((line) => line.replace(/^[^ ]+ /, ''))
    throw error
  }
}

// Target, constant of the excess, least price; factor, most stake, shortest delegation (ms), least delegation.
const DAY = 86_400_000
// 2026-07-28T15:00:00Z: 56 years of 365 days, 14 leap days, and 208 days of 2026, plus 15 hours.
const HELICON_ON_FUJI = (56 * 365 + 14 + 208) * 86_400 + 15 * 3_600
const MAINNET = {
  network: 'mainnet',
  upgrade: undefined,
  fee: [10_000, 1_246_488_515, 512],
  delegation: [5, 3_000_000, 14 * DAY, 25],
}
const FUJI = {
  network: 'fuji',
  upgrade: HELICON_ON_FUJI,
  fee: [10_000, 51_937_021, 512],
  delegation: [5, 3_000_000, DAY, 1],
}
const CUSTOM = {
  network: 'custom',
  upgrade: undefined,
  fee: [10_000, 865_617, 1],
  delegation: [5, 3_000_000, DAY, 25],
}

describe('which network it is', () => {
  test.each([
    ['its name', 'name: mainnet', { ...MAINNET, data: undefined }],
    ['its name', 'name: fuji', { ...FUJI, data: undefined }],
    [
      'its name, by which the data service is asked',
      `name: testnet, data_api: { ${DATA} }`,
      { ...FUJI, data: 'testnet' },
    ],
    ['no name that is known', 'name: local', { ...CUSTOM, data: undefined }],
    ["the data service's name", `name: mine, data_api: { ${DATA}, network: mainnet }`, { ...MAINNET, data: 'mainnet' }],
    ["the data service's name", `name: mainnet, data_api: { ${DATA}, network: testnet }`, { ...FUJI, data: 'testnet' }],
    ['its key', 'name: production, network: mainnet', { ...MAINNET, data: undefined }],
    ['its key, also for the data service', `name: a, network: fuji, data_api: { ${DATA} }`, { ...FUJI, data: 'fuji' }],
    ['its key before its name', 'name: fuji, network: custom', { ...CUSTOM, data: undefined }],
    [
      'both names of the test network',
      `name: a, network: fuji, data_api: { ${DATA}, network: testnet }`,
      { ...FUJI, data: 'testnet' },
    ],
    [
      'one key that differs',
      'name: fuji, upgrade_time: 1970-01-01T00:00:10Z, l1_fee: { min_price: 2 }, delegation: { min_duration: 2d }',
      {
        ...FUJI,
        data: undefined,
        upgrade: 10,
        fee: [10_000, 51_937_021, 2],
        delegation: [5, 3_000_000, 2 * DAY, 1],
      },
    ],
  ])('by %s: %s', (_, keys, known) => {
    expect(knownOf(keys)).toEqual(known)
  })

  test.each([
    [
      'a contradiction',
      `name: a, network: mainnet, data_api: { ${DATA}, network: fuji }`,
      'networks[0].data_api.network: is another network than the key network says: correct one of the two',
    ],
    [
      'a custom network of a data service',
      `name: a, network: custom, data_api: { ${DATA} }`,
      'networks[0].data_api.network: is missing: expected mainnet, fuji or testnet: the data service knows no custom network',
    ],
    ['none that exists', 'name: a, network: main', 'networks[0].network: expected mainnet, fuji or custom'],
  ])('is refused: %s', (_, keys, line) => {
    expect(refusalOf(keys)).toEqual([line])
  })
})

describe('what belongs to another network', () => {
  const C_OF_MAINNET = '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5'
  const X_OF_FUJI = '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm'
  // One key on three networks.
  const AVAX = 'P-avax1w508d6qejxtdg4y5r3zarvary0c5xw7k0l6nk9'

  test.each([
    [
      "Mainnet's C-Chain next to Fuji's own",
      `name: fuji, chains: [{ id: p-chain }, { id: c-chain, name: c }, { id: ${C_OF_MAINNET} }]`,
      'networks[0].chains[2].id: is the C-Chain of mainnet, and this network is fuji: expected c-chain',
    ],
    [
      "Fuji's X-Chain on a network of one's own",
      `name: local, chains: [{ id: ${X_OF_FUJI} }]`,
      'networks[0].chains[0].id: is the X-Chain of fuji, and nothing says that this network is fuji: add network: fuji, or correct this to x-chain',
    ],
    [
      'a route',
      `name: fuji, icm: { routes: [{ name: r, from: ${C_OF_MAINNET}, to: "99999" }] }`,
      'networks[0].icm.routes[0].from: is the C-Chain of mainnet, and this network is fuji: expected yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp',
    ],
    [
      'a wallet without a data service',
      `name: fuji, addresses: [{ name: w, addresses: [${AVAX}] }]`,
      'networks[0].addresses[0].addresses[0]: is an address of mainnet, and this network is fuji: expected fuji1... or P-fuji1...',
    ],
    [
      "a wallet on a network of one's own",
      `name: production, addresses: [{ name: w, addresses: [${AVAX}] }]`,
      'networks[0].addresses[0].addresses[0]: is an address of mainnet, and nothing says that this network is mainnet: add network: mainnet, or correct this to local1... or P-local1...',
    ],
  ])('is refused: %s', (_, keys, line) => {
    expect(refusalOf(keys)).toEqual([line])
  })

  test('each network has its own', () => {
    const own = [
      `name: mainnet, chains: [{ id: ${C_OF_MAINNET} }], addresses: [{ name: w, addresses: [${AVAX}] }]`,
      `name: fuji, chains: [{ id: ${X_OF_FUJI} }]`,
      'name: local, addresses: [{ name: w, addresses: [P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u] }]',
    ]
    expect(own.flatMap(refusalOf)).toEqual([])
  })
})

test('on Fuji a stake that began after the upgrade loses its reward below 90 %, with nothing but the name configured', async () => {
  const NODE = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'
  const day = 86_400
  // 30 days from the minute of the upgrade on; now is day 29, and 3.48 days of them it was down.
  const [start, now] = [HELICON_ON_FUJI, HELICON_ON_FUJI + 29 * day]
  const uptimePercent = 100 * (1 - 3.48 / 29)
  const poller = createPoller(
    `networks: [{ name: fuji, nodes: [{ name: a, url: "http://10.0.0.5:9650" }], validators: [{ node_id: ${NODE}, name: v }] }]`,
    uptime,
    now * 1_000,
  )
  const record = {
    txID: 'LDV9xafRo1d8ENJnxgTuA1BV2z27a4bwDs8sxgQejW8eBwHtR',
    startTime: String(start),
    endTime: String(start + 30 * day),
    weight: '2000000000000',
    nodeID: NODE,
    uptime: uptimePercent.toFixed(4),
    connected: true,
    delegatorCount: '0',
    delegatorWeight: '0',
  }
  await poller.poll(() => ({ validators: [record] }))
  // 10 % of 30 days are 259,200 s; 3.48 days are 300,672 s.
  const labels = `{network="fuji",subnet="primary",node_id="${NODE}",validator="v",source="a"`
  expect(poller.lines(/_budget|_required|_state.* 1$/)).toEqual([
    `stakewatch_validator_required_uptime_ratio${labels}} 0.9`,
    `stakewatch_validator_downtime_budget_seconds${labels}} -41472`,
    `stakewatch_validator_reward_state${labels},state="lost"} 1`,
  ])
})

import { expect, test } from 'vitest'
import { renderFamilies } from '../../src/metrics/exposition.ts'
import { configuredMetrics, configuredSamples } from '../../src/self/configured-metrics.ts'
import { configFrom } from '../support/poll.ts'

const ONE = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'
const TWO = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'
const L1 = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
const CHAIN = 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp'

function lines(networks: string): string[] {
  const families = renderFamilies(configuredSamples(configFrom(`networks:\n${networks}`)))
  return families
    .flatMap(({ lines }) => Buffer.concat(lines).toString().split('\n'))
    .filter((line) => line !== '')
    .map((line) => line.replace(/^stakewatch_/, ''))
}

test('everything that the configuration names, with the labels that the data would have', () => {
  expect(
    lines(`
  - name: fuji
    validators:
      - { node_id: ${ONE}, name: one }
      - { node_id: ${ONE}, name: one-l1, subnet: my-l1 }
      - { node_id: ${TWO} }
    subnets: [{ id: ${L1}, name: my-l1 }]
    chains: [{ id: p-chain }, { id: ${CHAIN}, name: c }]
    addresses: [{ name: treasury, addresses: ["0x0000000000000000000000000000000000000001"] }]
  - name: local
    data_api: { url: "http://127.0.0.1:1", network: fuji }
    chains: [{ id: p-chain }]
`),
  ).toEqual([
    `validator_tracked{network="fuji",subnet="primary",node_id="${ONE}",validator="one"} 1`,
    `validator_tracked{network="fuji",subnet="primary",node_id="${TWO}",validator="${TWO}"} 1`,
    `validator_tracked{network="fuji",subnet="my-l1",node_id="${ONE}",validator="one-l1"} 1`,
    'chain_tracked{network="fuji",chain="p-chain"} 1',
    'chain_tracked{network="fuji",chain="c"} 1',
    'chain_tracked{network="local",chain="p-chain"} 1',
    'address_tracked{network="fuji",address="treasury"} 1',
  ])
})

test('of a subnet whose every validator is watched only those that the configuration names', () => {
  expect(
    lines(`
  - name: fuji
    validators: [{ node_id: ${ONE}, subnet: ${L1} }]
    subnets: [{ id: ${L1}, validators: all }]
`),
  ).toEqual([`validator_tracked{network="fuji",subnet="${L1}",node_id="${ONE}",validator="${ONE}"} 1`])
})

test('nothing is tracked where nothing is configured', () => {
  expect(lines('  - name: fuji\n')).toEqual([])
})

test('what the configuration wants, where it wants anything', () => {
  expect(
    lines(`
  - name: fuji
    nodes:
      - { name: node-a, url: "http://127.0.0.1:1", admin: forbidden }
      - { name: node-b, url: "http://127.0.0.1:2", admin: on }
      - { name: node-c, url: "http://127.0.0.1:3" }
    validators:
      - { node_id: ${ONE}, name: one, planned_end: 1970-01-15T00:00:00Z }
      - { node_id: ${TWO}, name: two, subnet: my-l1, planned_end: 2026-12-01T02:00:00+02:00 }
      - { node_id: ${TWO}, name: goes-on }
    subnets: [{ id: ${L1}, name: my-l1 }]
    chains:
      - { id: p-chain, stall_after: 2m30s, expect: { status: syncing } }
      - { id: ${CHAIN}, name: c }
    addresses:
      - { name: relayer, addresses: [P-fuji10ke8vrnt6nwcsnfgrj7d3e7ay7ynv62l72s4h7], min_balance: 0.5 }
      - { name: empty, addresses: [P-fuji186eyqkgdmycan3q6z3q7hq5pmufj8ypzsxx946], min_balance: 0 }
      - { name: treasury, addresses: ["0x0000000000000000000000000000000000000003"] }
`).filter((line) => !/^\w+_tracked/.test(line)),
  ).toEqual([
    // Two weeks after 1970 began.
    `validator_planned_end_timestamp_seconds{network="fuji",subnet="primary",node_id="${ONE}",validator="one"} 1209600`,
    // 56 years of 365 days, 14 leap days, and 334 days of 2026: midnight in Greenwich.
    `validator_planned_end_timestamp_seconds{network="fuji",subnet="my-l1",node_id="${TWO}",validator="two"} ${(56 * 365 + 14 + 334) * 86_400}`,
    // Two and a half minutes.
    'chain_stall_threshold_seconds{network="fuji",chain="p-chain"} 150',
    'chain_expected_status{network="fuji",chain="p-chain",state="validating"} 0',
    'chain_expected_status{network="fuji",chain="p-chain",state="created"} 0',
    'chain_expected_status{network="fuji",chain="p-chain",state="preferred"} 0',
    'chain_expected_status{network="fuji",chain="p-chain",state="syncing"} 1',
    'chain_expected_status{network="fuji",chain="p-chain",state="unknown"} 0',
    'address_minimum_balance_tokens{network="fuji",address="relayer"} 0.5',
    'address_minimum_balance_tokens{network="fuji",address="empty"} 0',
    'node_admin_api_expected{network="fuji",source="node-a"} 0',
    'node_admin_api_expected{network="fuji",source="node-b"} 1',
  ])
})

test('each metric has exactly the labels that its samples carry', () => {
  const samples = configuredSamples(
    configFrom(`
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1", admin: on }]
    validators: [{ node_id: ${ONE}, planned_end: 2026-12-01T00:00:00Z }]
    chains: [{ id: p-chain, stall_after: 2m, expect: { status: syncing } }]
    addresses:
      - { name: treasury, addresses: [P-fuji10ke8vrnt6nwcsnfgrj7d3e7ay7ynv62l72s4h7], min_balance: 5 }
`),
  )
  expect(new Set(samples.map(({ metric }) => metric))).toEqual(new Set(configuredMetrics))
  for (const { metric, labels } of samples) {
    // The states of a set are no labels of its sample.
    expect([...Object.keys(labels), ...(metric.states ? ['state'] : [])]).toEqual(metric.labels)
  }
})

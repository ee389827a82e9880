// Without which parts of a configuration a collector has nothing to do.

import { expect, test } from 'vitest'
import { collectors } from '../../../src/collectors/index.ts'
import { plan } from '../../../src/scheduler/plan.ts'
import { configFrom } from '../../support/poll.ts'

const TOKEN = '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'
/** Each collector has something to do. */
const yaml = `
networks:
  - name: fuji
    nodes: [{ name: a, url: "http://127.0.0.1:1", node_id: NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg, index: true, admin: "on" }]
    data_api: { url: "http://127.0.0.1:2", key: sesame }
    metrics_api: { url: "http://127.0.0.1:3" }
    validators:
      - { node_id: NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg }
      - { node_id: NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ, subnet: l1 }
    subnets: [{ id: 2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof, name: l1 }]
    chains: [{ id: p-chain }, { id: c-chain, evm_chain_id: 43113 }]
    addresses:
      - { name: one, addresses: [P-fuji1w508d6qejxtdg4y5r3zarvary0c5xw7krd7v66] }
      - { name: two, addresses: ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"], chains: [c-chain], tokens: { "${TOKEN}": USDC } }
    icm: { routes: [{ name: out, from: z7Xh3sV87Lo5EwbtfV2XAtM9Ua5NChQudm42KfTsXA2h1UxnA, to: "43113" }] }
    signature_probes: [{ name: probe, message: "0x00" }]
collectors: { ${collectors.map(({ name }) => `${name}: { enabled: true }`).join(', ')} }
`

/** What a collector cannot do without, and the collectors. The test of a new collector says this of it. */
const needs: readonly (readonly [part: string, pattern: RegExp, collectors: string])[] = [
  ['an index', /, index: true/, 'index-head index-intervals'],
  ['an admin API', /, admin: "on"/, 'node-admin'],
  [
    'a data service',
    / {4}data_api.*\n/,
    `listed-delegations listed-validators listed-l1s evm-blocks evm-transactions listed-chains primary-blocks data-usage
      balances erc20-transfers native-balances pending-rewards rewards stakes transactions utxos icm signature-probe`,
  ],
  ['a key', /, key: sesame/, 'data-usage'],
  ['a metrics service', / {4}metrics_api.*\n/, 'avg-tps throughput'],
  [
    'a validator of the primary network',
    /.*7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg \}\n/,
    'delegations listed-delegations listed-validators renewals uptime',
  ],
  [
    'a wallet or a validator',
    / {4}validators:\n.*\n.*\n| {4}addresses:\n.*\n.*\n/g,
    `delegations l1-validators listed-delegations listed-validators renewals uptime validators
      balances erc20-transfers native-balances node-balances pending-rewards rewards stakes transactions utxos`,
  ],
  ['a subnet', /.*subnet: l1.*\n| {4}subnets.*\n/g, 'l1-validators l1-liveness listed-l1s subnet-owner'],
  [
    'an EVM chain',
    /, evm_chain_id: 43113|.*name: two.*\n/g,
    'avg-tps evm-blocks evm-transactions listed-chains throughput erc20-transfers native-balances',
  ],
  ['a wallet of the primary network', /.*name: one.*\n/, 'balances node-balances rewards stakes utxos'],
  ['chains of a wallet', /, chains: \[c-chain\].*USDC \}/, 'erc20-transfers native-balances'],
  ['a route', / {4}icm.*\n/, 'icm'],
  ['a probe', / {4}signature_probes.*\n/, 'signature-probe'],
  ['its being enabled', /collectors.*\n/, 'evm-transactions data-usage index-intervals node-balances signature-probe'],
]
/** None of these parts takes all of their work away. */
const NEEDS_NONE = `block-turns consensus-weight subnet-uptime supply blockchain-status blockchains p-chain-gas evm-node-heads
  head-check node-health node-identity node-peers node-state node-uptime`
const namesIn = (text: string) => text.split(/\s+/)
const known = new Set([...needs.flatMap(([, , names]) => namesIn(names)), ...namesIn(NEEDS_NONE)])

test.each(needs)('without %s', (_, part, missing) => {
  const planned = plan(configFrom(yaml.replace(part, '')), collectors).map(({ collector }) => collector.name)
  const names = collectors.map(({ name }) => name).filter((name) => known.has(name))
  expect(names.filter((name) => !planned.includes(name))).toEqual(namesIn(missing))
})

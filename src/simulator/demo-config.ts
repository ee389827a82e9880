// The configuration of a daemon that watches the simulated network.

import type { EvmChain } from './world/evm-chains.ts'
import { AVAX } from './world/fixed-ids.ts'
import type { L1, L1Validator } from './world/l1.ts'
import { sumOf } from './world/wallet-drafts.ts'
import type { Trader } from './world/trade.ts'
import type { Validator } from './world/stakes.ts'
import { unsignedMessage } from './world/warp.ts'
import type { World } from './world/world.ts'

export interface SimulatedNode {
  name: string
  url: string
  nodeId: string
}

interface Services {
  dataUrl: string
  metricsUrl: string
}

const TOKEN = 1_000_000_000n

/**
 * Watches the two nodes' own validators and four others, one of them with a poor uptime in everybody's eyes and one in
 * the eyes of the first node alone. It polls often, so that a viewer of the demo sees changes.
 */
export function configFor(
  nodes: readonly SimulatedNode[],
  { dataUrl, metricsUrl }: Services,
  world: World,
  collectors: readonly string[],
): string {
  // Most validations began before the upgrade: when they are renewed, they need more uptime than before.
  const upgrade = new Date(world.upgrade * 1_000).toISOString()
  return `networks:
  - name: fuji
    upgrade_time: ${upgrade}
    nodes:
${rows(nodes.map(nodeRow))}
    data_api: { url: "${dataUrl}", key: any }
    metrics_api: { url: "${metricsUrl}" }
    validators:
${rows(validatorRows(world))}
    subnets:
${rows(world.l1s.all.map(({ subnetId, name }) => `id: ${subnetId}, name: ${name}, validators: all`))}
    chains:
${rows(chainRows(world))}
    addresses:
${rows(walletRows(world))}
    icm:
      routes:
${rows(routeRows(world), 8)}
    signature_probes:
${rows(probeRows(world))}
    maintenance:
${rows(windowRows(world.now()))}
collectors:
${collectors.map((name) => `  ${name}: { enabled: true, every: ${intervals.get(name) ?? USUAL} }`).join('\n')}
public:
  title: Validators of the demo
  validators:
${rows(publicRows, 4)}
`
}

const rows = (items: readonly string[], indent = 6) =>
  items.map((item) => `${' '.repeat(indent)}- { ${item} }`).join('\n')

/** The first of them has its admin interface on; the other one must not. */
function nodeRow({ name, url, nodeId }: SimulatedNode, at: number): string {
  return `name: ${name}, url: "${url}", node_id: ${nodeId}, index: true, admin: ${at === 0 ? 'on' : 'forbidden'}`
}

/**
 * The fourth one does not renew its stake; the sixth has too little until it renews itself; the seventh is one of an L1 and is
 * topped up.
 */
function validatorRows({ validators, l1s }: World): string[] {
  const expectations: Readonly<Record<number, (validator: Validator) => string>> = {
    0: ({ owner, fee }) => `reward_addresses: [P-${owner}], delegation_fee: ${fee / 100}`,
    1: ({ signer }) => `bls_public_key: "${signer!.publicKey}"`,
    5: ({ weight }) => `min_stake: ${Number(weight / TOKEN) + 1}, auto_renew: true`,
  }
  const primary = [...validators.all.values()].slice(0, 6).map((validator, at) => {
    const expect = expectations[at]?.(validator)
    const planned = at === 3 ? `, planned_end: ${new Date(validator.end * 1_000).toISOString()}` : ''
    return `node_id: ${validator.nodeId}, name: val-${at + 1}${planned}${expect ? `, expect: { ${expect} }` : ''}`
  })
  const meadow = l1s.all.find(({ name }) => name === 'meadow')!
  return [...primary, `node_id: ${meadow.validators[0]!.nodeId}, subnet: meadow, name: val-7`]
}

/** Two under names of their own, one whose reward is in danger, and one of an L1. */
const publicRows = [
  'validator: val-1, name: "Demo Staking #1"',
  'validator: val-2, name: "Demo Staking #2"',
  'validator: val-4',
  'validator: val-5',
  'validator: val-7, subnet: meadow, name: "Meadow, an L1"',
].map((row) => `network: fuji, ${row}`)

function chainRows({ l1s, evm }: World): string[] {
  return [
    'id: p-chain, stall_after: 2m',
    'id: x-chain',
    'id: c-chain, evm_chain_id: 43113, stall_after: 2m, expect: { status: validating }',
    ...l1s.all.map(({ blockchainId, name, evmChainId }) => {
      const chain = evm.find(({ chainId }) => chainId === evmChainId)
      const parts = chain
        ? `, evm_chain_id: ${evmChainId}, expect: { status: syncing, gas_limit: ${chain.gasLimit}, min_base_fee: 25000000000 }`
        : ''
      return `id: ${blockchainId}, name: ${name}${parts}`
    }),
  ]
}

/**
 * Owners of validators, the delegator whose stake ends next, traders, and wallets on the EVM chains. Some have a bit less
 * than they are to have.
 */
function walletRows(world: World): string[] {
  const { validators, trade, evm, evmWallets, l1s } = world
  const all = [...validators.all.values()]
  const [, , third, , , sixth] = all
  const delegations = all.flatMap((validator) => validator.delegations).toSorted((a, b) => a.end - b.end)
  const [trader, partner] = trade.traders as [Trader, Trader]
  const [c] = evm as [EvmChain]
  const tokens = c.accounts.tokens.map(({ address, symbol }) => `"${address}": ${symbol}`)
  const chains = evm.map(({ chainId }) => l1s.all.find(({ evmChainId }) => evmChainId === chainId)?.name ?? 'c-chain')
  const traded = [trader, partner].flatMap(({ address }) => [...world.ledger.unspentOf(address)])
  const ofX = traded.filter(({ destination, chain, asset }) => destination === 'X' && chain === 'X' && asset === AVAX)
  const gas = Number(c.balance(evmWallets.relayer, c.head())) / 1e18
  return [
    `name: operator, addresses: [P-${third!.owner}, P-${sixth!.owner}], min_balance: 1`,
    `name: delegator, addresses: [P-${(delegations[0] ?? third!).owner}], expect: { outgoing: none }`,
    `name: trader, addresses: [X-${trader.address}, C-${partner.address}], min_balance: ${Number(sumOf(ofX) / TOKEN) + 10}`,
    `name: relayer, addresses: ["${evmWallets.relayer}"], chains: [${chains.join(', ')}], min_balance: ${(gas * 1.001).toFixed(6)}`,
    `name: treasury, addresses: ["${evmWallets.treasury}"], chains: [c-chain], tokens: { ${tokens.join(', ')} }, expect: { outgoing: none }`,
  ]
}

/** There and back, between the C-Chain and the first L1, and what a wallet sends or gets of that. */
function routeRows({ evm, evmWallets }: World): string[] {
  const [c, l1] = evm as [EvmChain, EvmChain]
  return [
    `name: out, from: ${c.blockchainId}, to: ${l1.blockchainId}`,
    `name: home, from: ${l1.blockchainId}, to: ${c.blockchainId}`,
    `name: treasury, from: ${l1.blockchainId}, to: ${c.blockchainId}, address: "${evmWallets.treasury}"`,
  ]
}

const MINUTE = 60

/** One that opens within the first minutes, and one of each week. */
function windowRows(now: number): string[] {
  const [from, to] = [2 * MINUTE, 7 * MINUTE].map((later) => new Date((now + later) * 1_000).toISOString())
  return [
    `name: kernel-update, from: "${from!.slice(0, 19)}Z", to: "${to!.slice(0, 19)}Z", grace: 2m, nodes: [node-b]`,
    'name: weekly, schedule: "0 22 * * TUE", for: 2h, timezone: Europe/Berlin',
  ]
}

/** A message of the L1 whose validators are the first to run dry, and one about the validators of another, for the P-Chain. */
function probeRows({ l1s, ledger }: World): string[] {
  const [first, , third] = l1s.all as [L1, L1, L1]
  const [{ validationId }] = first.validators as [L1Validator]
  const message = Buffer.from(unsignedMessage(third.blockchainId, Buffer.from('Are you there?'))).toString('hex')
  const tx = ledger.transactionsOf(validationId)[0]!.id
  return [`name: message, message: "0x${message}"`, `name: registration, tx: ${tx}`]
}

/** How often a collector polls that is not named below. */
const USUAL = '30s'

/** The others: as often as the allowance of the simulated services lets them, which some take much of. */
const UNUSUAL = {
  '5s': 'primary-blocks evm-blocks',
  '10s': 'uptime validators supply blockchain-status l1-validators index-head index-intervals',
  '1m': 'balances blockchains listed-l1s listed-validators listed-chains',
  '2m': 'data-usage listed-delegations pending-rewards rewards stakes transactions utxos',
  '1h': 'signature-probe',
} as const

const intervals = new Map(
  Object.entries(UNUSUAL).flatMap(([every, names]) => names.split(' ').map((name) => [name, every] as const)),
)

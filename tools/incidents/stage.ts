// The stage: a calm network, and an operator who watches it. Whatever fires was caused by the incident.

import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { Shard } from '../../src/lib/shard.ts'
import { parseDuration } from '../../src/lib/duration.ts'
import { collectors } from '../../src/collectors/index.ts'
import { nodeIdOf } from '../../src/simulator/world/ids.ts'
import { isFree } from '../../src/simulator/world/transactions.ts'
import { needed } from './read.ts'

export const EPOCH = 1_780_000_000
const MINUTE = 60_000
const DAY = 86_400
const AVAX = 1_000_000_000
/** What an L1 validator pays in a year at the least price, in the smallest unit. */
const YEAR_OF_FEES = 512 * 365 * DAY

/** Those who are on the stage, by the names that the configuration gives them. */
export interface Stage {
  /**
   * Node ids. alpha and bravo validate on node-a and node-b, delta has done so for half a year, on neither; charlie is new,
   * echo renews itself.
   */
  validators: Readonly<Record<string, string>>
  /** Node ids of the nodes; the third one is of an untracked validator. */
  nodes: readonly string[]
  /** Node ids of the validators of the L1. The first one is tracked, as golf. */
  orchard: readonly string[]
  /** Of the validator that the owner of its subnet added, where there is one. */
  permissioned: string
  /** Their validation ids. */
  validations: readonly string[]
  /** Ids of chains. */
  chains: Readonly<Record<'C' | 'orchard', string>>
  /** Id of the subnet of the L1. */
  subnet: string
  /** Addresses of the wallets, and the node for which the owner of the vault stakes. */
  vault: string
  relayer: string
  staker: string
}

/** Each is a stake of its own, made for the stage. */
const STAKES = [
  { name: 'charlie', duration: 300 * DAY },
  { name: 'echo', duration: 100 * DAY, renewal: { period: 100 * DAY, shares: 1_000_000 } },
]

const PERMISSIONED = nodeIdOf('india')

/** Among the validators that the network begins with: one whose stake began and ends long before and after. */
const OLD = 10

export interface Scenery {
  /**
   * Default: 2, which disagree in a draw. With 1 there is no bravo. A bystander is alone as well, and validates nothing that
   * is tracked: that is enough for what nodes have no part in, and costs half as much.
   */
  nodes?: 1 | 2 | 3 | 'bystander'
  /** For days on end: minutes between two polls of everything. */
  pollMinutes?: number
  /** Collectors that run, by their names; default: all that rules need. */
  only?: readonly string[]
  /** Maintenance windows: what each covers, and from which minute to which it is open. */
  maintenance?: Readonly<Record<string, { covers: string; from: number; to: number }>>
  /** What else the operator has declared, of the validators by their names. */
  declared?: Readonly<Record<string, string>>
  /** Further chains, as the configuration file writes them. */
  chains?: readonly string[]
  /** There are nodes alone: no data service, no metrics service, and no numbers of EVM chains. */
  isNodesOnly?: true
  /** No node runs with its index. */
  isUnindexed?: true
  /** Of the data service, as the configuration file writes it. */
  budget?: string
  /** Settings of collectors by their names, as the configuration file writes them. */
  collectors?: Readonly<Record<string, string>>
  /** Age of the newest block at which the C-Chain halts; default: 2m. */
  stallAfter?: string
  /** Seconds from one block to the next; default: 10 of the P- and the C-Chain. */
  paces?: { P?: number; C?: number }
  /** The first node validates the L1 as well, and is tracked there as hotel; default: no node does. */
  ownL1?: true
  /** The owner of the L1's subnet added a validator, which pays no fee and is tracked there as india; default: none. */
  permissioned?: true
  /** The instances that watch, each with its part; default: one that does everything. Orders to a daemon reach the first. */
  shards?: readonly Shard[]
  /** How far time goes on in one step: less where it matters how late an answer is. Default: 12. */
  stepSeconds?: number
  /** What the daemon counts is kept in a folder. */
  storage?: boolean
}

/** Collectors without which nothing is known of something that is configured: enough for days on end. */
export const ESSENTIAL = [
  'validators',
  'l1-validators',
  'head-check',
  'evm-node-heads',
  'balances',
  'native-balances',
  'transactions',
]

/** To be declared for a validator, in seconds after the stage was opened. */
export const plannedEnd = (seconds: number) => `, planned_end: ${new Date((EPOCH + seconds) * 1_000).toISOString()}`

/** Pays the fees of all L1 validators for a year, so that none runs out by itself. */
export function payFees({ world }: Simulator): void {
  for (const { validationId } of world.l1s.all.flatMap(({ validators }) => validators)) {
    world.take({ kind: 'top-up', validationId, amount: YEAR_OF_FEES })
  }
}

interface Opened {
  simulator: Simulator
  stage: Stage
  config: string
}

export async function open({ now, after }: Clock, scenery: Scenery): Promise<Opened> {
  const simulator = await startSimulator({
    seed: 1,
    epoch: EPOCH,
    clock: () => now().steady / 1_000,
    wait: (milliseconds) => new Promise((resolve) => void after(milliseconds, resolve)),
    validators: 12,
    nodes: scenery.nodes === 'bystander' ? 3 : (scenery.nodes ?? 2),
    delegations: 0,
    isCalm: true,
    paces: { P: 10, X: 30, C: 10, ...scenery.paces },
    dialect: 'live',
    metricsDialect: 'document',
  })
  const { world, nodes } = simulator
  if (scenery.ownL1) {
    const { nodeId } = nodes[0]!
    world.take({ kind: 'register', subnet: 'orchard', nodeId, weight: 10, balance: YEAR_OF_FEES })
    world.take({ kind: 'follow', subnet: 'orchard', nodeId })
  }
  if (scenery.permissioned) {
    world.take({ kind: 'add-to-subnet', subnet: 'orchard', nodeId: PERMISSIONED, weight: 1, duration: 100 * DAY })
  }
  const asked = scenery.nodes === 'bystander' ? nodes.slice(2) : nodes
  payFees(simulator)
  for (const { name, ...stake } of STAKES) {
    world.take({
      kind: 'stake',
      nodeId: nodeIdOf(name),
      name,
      amount: 2_000 * AVAX,
      reward: 100 * AVAX,
      fee: 2,
      ...stake,
    })
  }
  const [orchard] = world.l1s.all
  world.take({ kind: 'follow', subnet: 'orchard', nodeId: (asked[1] ?? asked[0]!).nodeId })
  const staker = [...world.validators.all.values()][3]!
  const own = nodes.slice(0, 2).map(({ nodeId }, at) => [['alpha', 'bravo'][at]!, nodeId] as const)
  const stage = {
    validators: Object.fromEntries([
      ...own,
      ['delta', [...world.validators.all.keys()][OLD]!] as const,
      ...STAKES.map(({ name }) => [name, nodeIdOf(name)] as const),
    ]),
    nodes: nodes.map(({ nodeId }) => nodeId),
    orchard: orchard!.validators.map(({ nodeId }) => nodeId),
    permissioned: PERMISSIONED,
    validations: orchard!.validators.map(({ validationId }) => validationId),
    chains: { C: world.evm[0]!.blockchainId, orchard: orchard!.blockchainId },
    subnet: orchard!.subnetId,
    vault: staker.owner,
    relayer: world.evmWallets.relayer,
    staker: staker.nodeId,
  }
  return { simulator, stage, config: configOf(simulator, asked, stage, scenery) }
}

/** Minutes before an incident begins: everything has been polled, and no counter is new. */
export const BEFORE = 6
/** Some blocks of the P-Chain (milliseconds). */
export const SETTLING = 60_000

function windowOf([name, { covers, from, to }]: [string, NonNullable<Scenery['maintenance']>[string]]): string {
  const at = (minute: number) =>
    `"${new Date((EPOCH + (BEFORE + minute) * 60) * 1_000 + SETTLING).toISOString().slice(0, 19)}Z"`
  return `{ name: ${name}, ${covers}, from: ${at(from)}, to: ${at(to)}, grace: 5m }`
}

/** Everything that can be declared is, and is so. Each collector has its own interval. */
function configOf(
  { dataUrl, metricsUrl, world }: Simulator,
  nodes: Simulator['nodes'],
  { validators, chains, subnet, vault, relayer }: Stage,
  {
    pollMinutes,
    only,
    maintenance = {},
    declared = {},
    chains: more = [],
    isNodesOnly,
    isUnindexed,
    budget,
    collectors: settings = {},
    stallAfter = '2m',
    ownL1,
    permissioned,
  }: Scenery,
): string {
  const { evmWallets, evm, validators: all } = world
  const golf = world.l1s.all[0]!.validators[0]!
  const node = ({ name, url, nodeId }: Simulator['nodes'][number]) =>
    `      - { name: ${name}, url: "${url}", node_id: ${nodeId}, index: ${isUnindexed !== true}, admin: ${name === 'node-a' ? 'on' : 'forbidden'} }`
  return `networks:
  - name: fuji
    upgrade_time: ${new Date(world.upgrade * 1_000).toISOString()}
    nodes:
${nodes.map(node).join('\n')}
${isNodesOnly ? '' : services()}\
    validators:
${Object.entries(validators)
  .map(
    ([name, id]) => `      - { node_id: ${id}, name: ${name}, expect: { ${expectedOf(id)} }${declared[name] ?? ''} }`,
  )
  .join('\n')}
      - { node_id: ${golf.nodeId}, name: golf, subnet: orchard, expect: { remaining_balance_owner: [P-${golf.owner}] }${declared['golf'] ?? ''} }
${ownL1 ? `      - { node_id: ${validators['alpha']!}, name: hotel, subnet: orchard }\n` : ''}\
${permissioned ? `      - { node_id: ${PERMISSIONED}, name: india, subnet: orchard }\n` : ''}\
    subnets:
      - { id: ${subnet}, name: orchard, validators: all }
    chains:
      - { id: p-chain, stall_after: 2m }
      - { id: c-chain, ${numberOf(43_113)}stall_after: ${stallAfter} }
      - { id: ${chains.orchard}, name: orchard, ${numberOf(evm[1]!.chainId)}stall_after: 2m }
${more.map((one) => `      - ${one}\n`).join('')}\
    addresses:
${isNodesOnly ? `      - { name: vault, addresses: [P-${vault}], min_balance: ${tokensOf(0.5)} }\n` : ofServices()}\
    maintenance: [${Object.entries(maintenance).map(windowOf).join(', ')}]
collectors:
${collectors.map((one) => `  ${one.name}: { enabled: ${only?.includes(one.name) ?? needed.includes(one)}${settingsOf(one)} }`).join('\n')}
`

  function services(): string {
    return `    data_api: { url: "${dataUrl}", key: any${budget ? `, budget: ${budget}` : ''} }
    metrics_api: { url: "${metricsUrl}" }
`
  }

  function numberOf(evmChainId: number | bigint): string {
    return isNodesOnly ? '' : `evm_chain_id: ${evmChainId}, `
  }

  /** What only the data service reports. */
  function ofServices(): string {
    return `      - { name: vault, addresses: [P-${vault}], expect: { outgoing: none } }
      - { name: relayer, addresses: ["${relayer}"], chains: [c-chain], min_balance: ${gasOf(0.5)} }
    icm:
      routes:
        - { name: out, from: ${chains.C}, to: ${chains.orchard} }
        - { name: home, from: ${chains.orchard}, to: ${chains.C} }
    signature_probes:
      - { name: registration, tx: ${world.ledger.transactionsOf(world.l1s.all[0]!.validators[0]!.validationId)[0]!.id} }
`
  }

  /** What is looked at once a minute need not be polled more often: delays are those of an operator who asks less. */
  function settingsOf({ name, every }: (typeof collectors)[number]): string {
    if (settings[name]) return `, ${settings[name]}`
    if (pollMinutes !== undefined) return `, every: ${pollMinutes}m`
    return parseDuration(every)! < MINUTE ? ', every: 1m' : ''
  }

  /** Those who have yet to stake get the fee of their stakes. */
  function expectedOf(id: string): string {
    const validator = all.all.get(id)
    const owner = validator && `, reward_addresses: [P-${validator.owner}]`
    return `delegation_fee: ${(validator?.fee ?? 2) / 100}${owner ?? ''}`
  }

  function tokensOf(share: number): number {
    const held = [...world.ledger.unspentOf(vault)].filter((utxo) => isFree(utxo, 'P', world.now()))
    return (share * Number(held.reduce((sum, { amount }) => sum + amount, 0n))) / AVAX
  }

  function gasOf(share: number): number {
    return (share * Number(evm[0]!.balance(evmWallets.relayer, evm[0]!.head()))) / 1e18
  }
}

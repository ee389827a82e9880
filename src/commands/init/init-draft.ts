// Builds a configuration from the flags and the answers of nodes.

import { nodesOfPreset, presets, PUBLIC_NODE } from '../../config/presets.ts'
import { toRatio } from '../../lib/units.ts'
import type { Draft, DraftChain, DraftNode, DraftSubnet, DraftValidator } from './draft.ts'
import {
  asWritten,
  type Blockchain,
  evmChainIdOf,
  type Looked,
  rewardedBy,
  watchedSubnets,
  type ValidatorRecord,
} from './look.ts'
import { counted } from '../terminal-text.ts'

export interface Named {
  validators: readonly string[]
  subnets: readonly string[]
  areChosen: boolean
  wallets: readonly string[]
}

export function draftOf(named: Named, looked: Looked, file: string): Draft {
  const { network } = looked
  const subnets = subnetsOf(named, looked)
  const primary = primaryValidators(named, looked)
  const yours: Yours = {
    notes: new Map([
      ...[...named.validators, ...primary.map(({ nodeId }) => nodeId)].map((nodeId) => [nodeId, undefined] as const),
      ...ofNodes(looked),
    ]),
    owners: ownersOf(named, looked, new Set(primary.map(({ nodeId }) => nodeId))),
  }
  return {
    head: headOf(looked, file),
    name: network ?? 'my-network',
    preset: network,
    nodes: nodesOf(looked),
    validators: [...primary, ...subnets.flatMap((subnet) => membersOf(subnet, yours))],
    subnets: subnets.map(({ draft }) => draft),
    chains: chainsOf(looked, subnets),
    wallets: named.wallets,
  }
}

function headOf({ network, flaws }: Looked, file: string): string[] {
  const unknown =
    network === undefined
      ? ['', 'The network is unknown: add `preset: mainnet`, `fuji` or `local` below its name.']
      : []
  const missing =
    flaws.length === 0
      ? []
      : ['', 'This could not be looked at when the file was written:', ...flaws.map((one) => `- ${one}`)]
  return [
    'Written by stakewatch init. config.example.yaml explains every key that can be added.',
    `stakewatch check --live --config.file=${file} checks the expectations in this file.`,
    ...unknown,
    ...missing,
  ]
}

/** A node's report of its own uptime is no evidence, so a public node is added. */
function nodesOf({ network, nodes }: Looked): DraftNode[] {
  if (nodes.length === 0) return []
  const witness = (network === undefined || network === 'local' ? [] : nodesOfPreset(network)).map((url) => ({
    name: PUBLIC_NODE,
    url,
    note: 'an outside view: what a node says of itself is no evidence',
  }))
  const own = nodes.map(({ url, nodeId, isSeveral, index, admin }, at) => ({
    name: nodeName(at),
    url,
    nodeId,
    index,
    admin,
    note: isSeveral ? 'several nodes answer at this address' : undefined,
  }))
  return [...own, ...witness]
}

function primaryValidators(named: Named, looked: Looked): DraftValidator[] {
  const { validators: set, members } = looked
  const records = recordsOf(looked)
  const elsewhere = new Set([...members.values()].flat().map(({ nodeID }) => nodeID))
  // A validator of only an L1 is not visible on the primary network.
  const given = named.validators
    .filter((nodeId) => set === undefined || records.has(nodeId) || !elsewhere.has(nodeId))
    .map((nodeId) => [nodeId, set === undefined || records.has(nodeId) ? undefined : NOT_THERE] as const)
  const own = ofNodes(looked).filter(([nodeId]) => records.has(nodeId))
  const listed = new Map<string, string | undefined>([...given, ...own])
  const owners = ownersOf(named, looked, new Set(listed.keys()))
  const others = [...records.values()]
    .filter((record) => !listed.has(record.nodeID) && rewardsOf(record).some((address) => owners.has(address)))
    .map(({ nodeID }) => nodeID)
    .toSorted()
  for (const nodeId of others) listed.set(nodeId, 'its rewards go to an address that is yours')
  return [...listed].map(([nodeId, note]) => ({ nodeId, note, expect: expectedOf(records.get(nodeId)) }))
}

function recordsOf({ validators = [] }: Looked): ReadonlyMap<string, ValidatorRecord> {
  return new Map(validators.map((record) => [record.nodeID, record]))
}

/** The validators on the operator's own nodes, each with a note that says so. */
function ofNodes({ nodes }: Looked): [string, string][] {
  return nodes.flatMap(({ nodeId }, at) => (nodeId === undefined ? [] : [[nodeId, `that of ${nodeName(at)}`]]))
}

/** Addresses of the operator: wallets, and the reward addresses of these validators. */
function ownersOf({ wallets }: Named, looked: Looked, nodeIds: ReadonlySet<string>): ReadonlySet<string> {
  const records = recordsOf(looked)
  return new Set([...asWritten(wallets), ...[...nodeIds].flatMap((nodeId) => rewardsOf(records.get(nodeId)))])
}

const NOT_THERE = 'not in the set when this was written'

function rewardsOf(record: ValidatorRecord | undefined): string[] {
  return (record && rewardedBy(record)) ?? []
}

/** Expectations that settings which others could change stay as they are now. */
function expectedOf(record: ValidatorRecord | undefined): DraftValidator['expect'] {
  const { delegationFee: fee } = record ?? {}
  return {
    reward_addresses: record && rewardedBy(record),
    delegation_fee: fee === undefined ? undefined : toRatio(fee),
  }
}

interface LookedSubnet {
  draft: DraftSubnet
  members: readonly ValidatorRecord[]
  chains: readonly Blockchain[]
}

/** The subnets from the flags, and those with a chain that a node runs. */
function subnetsOf(named: Named, looked: Looked): LookedSubnet[] {
  const { nodes, blockchains = [], members } = looked
  const names = new Set<string>()
  return watchedSubnets(named, nodes, blockchains).map((id) => {
    const chains = blockchains.filter(({ subnetID }) => subnetID === id)
    const set = members.get(id)
    const note = [set ? kindOf(set) : [], runnersOf(chains, looked)].flat().join('; ')
    return { draft: { id, name: nameOf(chains, names), note }, members: set ?? [], chains }
  })
}

function kindOf(set: readonly ValidatorRecord[]): string {
  if (set.length === 0) return 'a subnet without a validator'
  const isL1 = set.some(({ validationID }) => validationID !== undefined)
  return `${isL1 ? 'an L1' : 'a subnet'} of ${counted(set.length, 'validator')}`
}

function runnersOf(chains: readonly Blockchain[], { nodes }: Looked): string[] {
  const runners = nodes.flatMap(({ runs }, at) => (chains.some(({ id }) => runs.includes(id)) ? [nodeName(at)] : []))
  if (runners.length === 0) return []
  return [`${runners.join(' and ')} ${runners.length === 1 ? 'runs' : 'run'} its chain`]
}

function nodeName(at: number): string {
  return `node-${at + 1}`
}

/** Names of creators may be anything and are not unique: use one only if it is valid, and only once. */
function nameOf(chains: readonly Blockchain[], taken: Set<string>): string | undefined {
  const [name = ''] = chains.map(({ name = '' }) => name.toLowerCase().replace(/\s+/g, '-'))
  if (!/^[a-z][\w.-]{0,63}$/.test(name) || name === 'primary' || /^[pxc]-chain$/.test(name) || taken.has(name)) {
    return undefined
  }
  taken.add(name)
  return name
}

interface Yours {
  /** By node id. */
  notes: ReadonlyMap<string, string | undefined>
  owners: ReadonlySet<string>
}

/** The operator's validators in a subnet: known ones, and those whose balance returns to one of the operator's addresses. */
function membersOf({ draft, members }: LookedSubnet, { notes, owners }: Yours): DraftValidator[] {
  // Several validations of a node in one subnet are one entry.
  const byId = new Map(members.map((record) => [record.nodeID, record]))
  return [...byId.values()]
    .map(({ nodeID: nodeId, remainingBalanceOwner: owner }) => ({
      nodeId,
      subnet: draft.name ?? draft.id,
      note: notes.get(nodeId),
      expect: { remaining_balance_owner: owner?.addresses && asWritten(owner.addresses) },
    }))
    .filter(({ nodeId, expect: { remaining_balance_owner: paid = [] } }) => {
      return notes.has(nodeId) || paid.some((address) => owners.has(address))
    })
    .toSorted((a, b) => (a.nodeId < b.nodeId ? -1 : 1))
}

/** The list replaces that of the preset, so it repeats the chains of the primary network. */
function chainsOf(looked: Looked, subnets: readonly LookedSubnet[]): DraftChain[] {
  const { network } = looked
  const taken = new Set<string>()
  const own = subnets.flatMap(({ chains }) =>
    chains.map((chain) => {
      const evmChainId = evmChainIdOf(looked, chain.id)
      const note =
        evmChainId === undefined ? 'add its evm_chain_id for metrics of its blocks and transactions' : undefined
      return { id: chain.id, name: nameOf([chain], taken), evmChainId, note }
    }),
  )
  const cNumber = evmChainIdOf(looked, 'C')
  if (own.length === 0 && cNumber === undefined) return []
  const primary = network === undefined ? [] : (presets[network]['chains'] as { id: string; evm_chain_id?: number }[])
  const numberOf = (id: string) => (id === 'c-chain' ? cNumber : undefined)
  return [...primary.map(({ id, evm_chain_id: known }) => ({ id, evmChainId: known ?? numberOf(id) })), ...own]
}

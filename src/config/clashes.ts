// Names that become labels and ids have to tell things apart: two alike would be one series with two values.
// The values come as they stand, well-formed or not, so that a clash is reported together with everything else.

import { nearest } from '../lib/nearest.ts'
import { primaryChains, PRIMARY_NETWORK_ID } from '../lib/primary-network.ts'

export const PRIMARY_NETWORK_NAME = 'primary'

export interface Clash {
  path: PropertyKey[]
  message: string
}

type Item = Readonly<Record<string, unknown>>

const chainNames = new Map<string, string>(Object.entries(primaryChains))

export function networkClashes(networks: unknown): Clash[] {
  return alike('networks', networks, ['name'], asName).map(({ path, message }) => ({ path: path.slice(1), message }))
}

export function clashesWithin(network: unknown): Clash[] {
  const {
    nodes,
    subnets,
    chains,
    addresses: wallets,
    validators,
    icm,
    signature_probes: probes,
  } = Object(network) as Item
  const ofSubnets = withSubnet(validators)
  return [
    ...alike('nodes', nodes, ['name'], asName),
    ...taken('nodes', nodes, 'name', 'data-api', 'is reserved for the data service: choose another'),
    ...taken('nodes', nodes, 'name', 'metrics-api', 'is reserved for the metrics service: choose another'),
    ...unknownSubnets(validators, subnets),
    ...alike('validators', ofSubnets, ['node_id'], asEntry),
    ...alike('validators', ofSubnets, ['name', 'node_id'], asName),
    ...taken(
      'subnets',
      subnets,
      'id',
      PRIMARY_NETWORK_ID,
      'is the primary network, which is always watched: remove it',
    ),
    ...taken('subnets', subnets, 'name', PRIMARY_NETWORK_NAME, 'is reserved for the primary network: choose another'),
    ...alike('subnets', subnets, ['id'], asEntry),
    ...alike('subnets', subnets, ['name', 'id'], asName),
    ...alike('chains', chains, ['id'], asEntry, (id) => chainNames.get(id) ?? id),
    ...alike('chains', chains, ['name', 'id'], asName),
    ...alike('chains', chains, ['evm_chain_id'], asNumber),
    ...notEvm(chains),
    ...alike('addresses', wallets, ['name'], asName),
    ...entriesOf(wallets).flatMap(({ addresses }, at) => clashesInWallet(addresses, at)),
    ...entriesOf(wallets).flatMap((wallet, at) => evmParts(wallet, at, chains)),
    ...inGroup('icm', 'routes', entriesOf(Object(icm).routes)),
    ...alike('signature_probes', probes, ['name'], asName),
    ...entriesOf(probes).flatMap((probe, at) => unaskable(probe, at)),
  ]
}

/** One node may validate several subnets, under one name or several. */
function withSubnet(validators: unknown): Item[] {
  const within = (item: Item, key: string) =>
    typeof item[key] === 'string' ? { [key]: `${subnetOf(item)} ${item[key]}` } : {}
  return entriesOf(validators).map((item) => ({ ...within(item, 'node_id'), ...within(item, 'name') }))
}

function subnetOf({ subnet }: Item): string {
  return typeof subnet === 'string' ? subnet : PRIMARY_NETWORK_NAME
}

/** The hint says where the name that is meant stands, as no report repeats values. */
function unknownSubnets(validators: unknown, subnets: unknown): Clash[] {
  const known = [
    { name: PRIMARY_NETWORK_NAME, id: PRIMARY_NETWORK_ID, shown: PRIMARY_NETWORK_NAME },
    ...entriesOf(subnets).map(({ name, id }, at) => ({
      name: String(name ?? id),
      id,
      shown: `that of subnets[${at}]`,
    })),
  ]
  const names = known.map(({ name }) => name)
  return entriesOf(validators).flatMap(({ subnet }, at) => {
    if (typeof subnet !== 'string' || names.includes(subnet)) return []
    const near = nearest(subnet, names)
    const meant = known.find(({ id }) => id === subnet) ?? known.find(({ name }) => name === near)
    const hint = meant ? `; did you mean ${meant.shown}?` : ''
    const message = `expected ${PRIMARY_NETWORK_NAME} or the name of a subnet that is listed under subnets${hint}`
    return [{ path: ['validators', at, 'subnet'], message }]
  })
}

function notEvm(chains: unknown): Clash[] {
  return entriesOf(chains).flatMap(({ id, evm_chain_id }, at) => {
    const chain = chainNames.get(String(id))
    if (evm_chain_id === undefined || chain === undefined || chain === 'C') return []
    return [{ path: ['chains', at, 'evm_chain_id'], message: `the ${chain}-Chain is no EVM chain: remove it` }]
  })
}

/** What the addresses of a wallet have is added up: none may count twice. Two wallets may share an address. */
function clashesInWallet(addresses: unknown, wallet: number): Clash[] {
  const items = (Array.isArray(addresses) ? addresses : []).map((address: unknown) => ({ address }))
  const within = `addresses[${wallet}].addresses`
  return [...alike(within, items, ['address'], asEntry, withoutChain), ...otherKinds(within, items)].map(
    ({ path: [, at], message }) => ({ path: ['addresses', wallet, 'addresses', at!], message }),
  )
}

/** A key has one address on all chains, and the prefix may be left out. Capitals in 0x... are a mere checksum. */
function withoutChain(address: string): string {
  return address.toLowerCase().replace(/^[pxc]-/, '')
}

/** The two kinds of address belong to different services: no balance is the sum of both. */
function otherKinds(list: string, items: readonly Item[]): Clash[] {
  const kinds = items.map(({ address }) => (typeof address === 'string' ? address.startsWith('0x') : undefined))
  const first = kinds.find((kind) => kind !== undefined)
  const message = 'expected addresses of one kind in a wallet: put those with 0x into a wallet of their own'
  return kinds.flatMap((kind, at) => (kind === undefined || kind === first ? [] : [{ path: [list, at], message }]))
}

/** Chains and tokens of a wallet: only one of 0x addresses has them, and each is known. */
function evmParts({ addresses, chains: own, tokens }: Item, wallet: number, chains: unknown): Clash[] {
  const isEvm = Array.isArray(addresses) && addresses.some((one) => typeof one === 'string' && one.startsWith('0x'))
  const named = Array.isArray(own) ? own : []
  const evm = entriesOf(chains).filter(({ evm_chain_id }) => evm_chain_id !== undefined)
  const names = evm.map(({ name, id }) => String(name ?? id))
  const unknown = named.flatMap((chain: unknown, at) => {
    if (typeof chain !== 'string' || names.includes(chain)) return []
    const near = nearest(chain, names)
    const hint =
      near === undefined
        ? ''
        : `; did you mean that of chains[${entriesOf(chains).indexOf(evm[names.indexOf(near)]!)}]?`
    const message = `expected the name of a chain with an evm_chain_id that is listed under chains${hint}`
    return [{ path: ['addresses', wallet, 'chains', at], message }]
  })
  const misplaced = (isEvm ? [] : ['chains', 'tokens']).flatMap((key) =>
    Object.keys(Object(key === 'chains' ? own : tokens)).length === 0
      ? []
      : [{ path: ['addresses', wallet, key], message: 'is for wallets of 0x addresses: remove it' }],
  )
  const labels = Object.values(Object(tokens) as Item).map((token) => ({ token }))
  const twice = alike('tokens', labels, ['token'], () => 'is the name of another token as well: choose another')
  const keys = Object.keys(Object(tokens) as Item)
  return [
    ...misplaced,
    ...(isEvm ? unknown : []),
    ...twice.map(({ path, message }) => ({ path: ['addresses', wallet, 'tokens', keys[Number(path[1])]!], message })),
  ]
}

function inGroup(group: string, list: string, items: readonly Item[]): Clash[] {
  return alike(list, items, ['name'], asName).map(({ path, message }) => ({ path: [group, ...path], message }))
}

/** A probe asks for a message or for a transaction. */
function unaskable({ message, justification, tx }: Item, at: number): Clash[] {
  const asksForMessage = message !== undefined || justification !== undefined
  if (asksForMessage !== (tx !== undefined)) return []
  const wanted = 'expected either message, justification or both, or tx'
  return [{ path: ['signature_probes', at], message: wanted }]
}

function asName(other: string): string {
  return `${other} has this name already: choose another`
}

function asNumber(other: string): string {
  return `${other} has this number already: correct one of the two`
}

function asEntry(other: string): string {
  return `${other} is the same: remove one of the two`
}

/** Entries that say the same by the first of `keys` that they have. */
function alike(
  list: string,
  items: unknown,
  keys: readonly string[],
  message: (other: string) => string,
  meaning: (text: string) => string = (text) => text,
): Clash[] {
  const first = new Map<string, number>()
  return entriesOf(items).flatMap((item, at) => {
    const key = keys.find((key) => typeof item[key] === 'string' || typeof item[key] === 'number')
    if (key === undefined) return []
    const meant = meaning(String(item[key]))
    const other = first.get(meant)
    if (other !== undefined) return [{ path: [list, at, key], message: message(`${list}[${other}]`) }]
    first.set(meant, at)
    return []
  })
}

function taken(list: string, items: unknown, key: string, value: string, message: string): Clash[] {
  return entriesOf(items).flatMap((item, at) => (item[key] === value ? [{ path: [list, at, key], message }] : []))
}

function entriesOf(items: unknown): Item[] {
  return Array.isArray(items) ? items.map((item) => Object(item) as Item) : []
}

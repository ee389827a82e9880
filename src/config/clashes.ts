// Names that become labels and ids have to tell things apart: two alike would be one series with two values.
// The values come as they stand, well-formed or not, so that a clash is reported together with everything else.

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
  const { nodes, subnets, chains, addresses, ...rest } = Object(network) as Item
  const validators = withSubnet(rest['validators'])
  return [
    ...alike('nodes', nodes, ['name'], asName),
    ...taken('nodes', nodes, 'name', 'data-api', 'is reserved for the data service: choose another'),
    ...taken('nodes', nodes, 'name', 'metrics-api', 'is reserved for the metrics service: choose another'),
    ...unknownSubnets(rest['validators'], subnets),
    ...alike('validators', validators, ['node_id'], asEntry),
    ...alike('validators', validators, ['name', 'node_id'], asName),
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
    ...alike('addresses', addresses, ['name'], asName),
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

function unknownSubnets(validators: unknown, subnets: unknown): Clash[] {
  const known = new Set([PRIMARY_NETWORK_NAME, ...entriesOf(subnets).flatMap(({ name, id }) => name ?? id)])
  return entriesOf(validators).flatMap(({ subnet }, at) =>
    typeof subnet !== 'string' || known.has(subnet)
      ? []
      : [{ path: ['validators', at, 'subnet'], message: 'expected the name of a subnet that is listed under subnets' }],
  )
}

function asName(other: string): string {
  return `${other} has this name already: choose another`
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
    const key = keys.find((key) => typeof item[key] === 'string')
    if (key === undefined) return []
    const meant = meaning(item[key] as string)
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

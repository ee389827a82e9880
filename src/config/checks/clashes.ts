// Names that become labels, and ids, must be unique: duplicates would be one series with two values.
// The values come as they stand, well-formed or not, so that a clash is reported together with everything else.

import { blockchainIds, PRIMARY_NETWORK_ID, type PrimaryChain, primaryChains } from '../../lib/primary-network.ts'
import {
  alike,
  asEntry,
  asName,
  asNumber,
  asText,
  type Clash,
  entriesOf,
  expecting,
  given,
  inside,
  insideEach,
  type Item,
  listOf,
  mapOf,
  namesIn,
  taken,
} from './clash.ts'
import { coveredLists } from '../../maintenance/window.ts'
import { foreignChain, knownNetworks, type NetworkName, networkOf, networkOfPrefix } from '../known-networks.ts'
import { walletClashes } from './wallet-clashes.ts'
import { readAddress } from '../../lib/ids.ts'

export const PRIMARY_NETWORK_NAME = 'primary'

const chainNames = new Map<string, string>(Object.entries(primaryChains))

export function networkClashes(networks: unknown): Clash[] {
  return alike('networks', networks, ['name'], asName).map(({ path, message }) => ({ path: path.slice(1), message }))
}

export function clashesWithin(network: unknown): Clash[] {
  const all = mapOf(network)
  const { nodes, subnets, chains, addresses, validators, icm, signature_probes: probes } = all
  const ofSubnets = withSubnet(validators)
  const own = networkOf(all)
  return [
    ...alike('nodes', nodes, ['name'], asName),
    ...taken('nodes', nodes, 'name', 'data-api', 'is reserved for the data service: choose another'),
    ...taken('nodes', nodes, 'name', 'metrics-api', 'is reserved for the metrics service: choose another'),
    ...unknownSubnets(validators, subnets),
    ...withoutOwner(validators),
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
    ...alike('chains', chains, ['id'], asEntry, (id) => (foreignChain(id, own) ? id : (chainNames.get(id) ?? id))),
    ...alike('chains', chains, ['name', 'id'], asName),
    ...alike('chains', chains, ['evm_chain_id'], asNumber),
    ...notEvm(chains),
    ...neverSo(chains),
    ...walletClashes(addresses, chains),
    ...foreignParts(all),
    ...alike('icm.routes', mapOf(icm)['routes'], ['name'], asName),
    ...routesToThemselves(mapOf(icm)['routes'], chains),
    ...alike('signature_probes', probes, ['name'], asName),
    ...unaskable(probes),
    ...maintenanceClashes(all),
    ...withoutSource(all),
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

/** The hint gives the place of the intended name, because reports never repeat values. */
function unknownSubnets(validators: unknown, subnets: unknown): Clash[] {
  const known = [
    { name: PRIMARY_NETWORK_NAME, id: PRIMARY_NETWORK_ID, shown: PRIMARY_NETWORK_NAME },
    ...entriesOf(subnets).map(({ name, id }, at) => ({
      name: asText(name ?? id),
      id,
      shown: `that of subnets[${at}]`,
    })),
  ]
  const names = namesIn(known.map(({ name }) => name))
  const ids = new Map(known.map((one) => [one.id, one]))
  return insideEach(['validators'], validators, ({ subnet }) => {
    if (typeof subnet !== 'string' || names.placeOf(subnet) !== undefined) return []
    const meant = ids.get(subnet) ?? known[names.nearest(subnet) ?? -1]
    const hint = meant ? `; did you mean ${meant.shown}?` : ''
    const message = `expected ${PRIMARY_NETWORK_NAME} or the name of a subnet that is listed under subnets${hint}`
    return [{ path: ['subnet'], message }]
  })
}

/** Their balances are those of stakes: nothing is left of one. */
function withoutOwner(validators: unknown): Clash[] {
  const message = 'expected for validators of an L1 alone: remove it, or name the subnet'
  return insideEach(['validators'], validators, (validator) =>
    subnetOf(validator) === PRIMARY_NETWORK_NAME ? expecting(validator, ['remaining_balance_owner'], message) : [],
  )
}

function notEvm(chains: unknown): Clash[] {
  return insideEach(['chains'], chains, (item) => {
    const chain = chainNames.get(asText(item['id']))
    if (chain === undefined || chain === 'C') return []
    const message = `the ${chain}-Chain is no EVM chain: remove it`
    return [
      ...given(item, ['evm_chain_id'], message),
      ...expecting(item, ['gas_limit', 'target_gas', 'min_base_fee'], message),
    ]
  })
}

/** A node knows no transaction that created the P-Chain, so it never gets beyond `Syncing` for it. */
function neverSo(chains: unknown): Clash[] {
  const message = 'a node always says syncing of the P-Chain, also when it validates: expect syncing, or remove this'
  return insideEach(['chains'], chains, (chain) => {
    const isP = chainNames.get(asText(chain['id'])) === 'P'
    return isP && mapOf(chain['expect'])['status'] !== 'syncing' ? expecting(chain, ['status'], message) : []
  })
}

/** A chain has an id and a number, and those of the primary network an alias as well. */
function routesToThemselves(routes: unknown, chains: unknown): Clash[] {
  const ids = new Map(entriesOf(chains).map(({ id, evm_chain_id }) => [asText(evm_chain_id), asText(id)]))
  const meant = (chain: unknown) => {
    const id = ids.get(asText(chain)) ?? asText(chain)
    return chainNames.get(id) ?? id
  }
  const message = 'is where the messages come from: name another chain'
  return insideEach(['icm', 'routes'], routes, ({ from, to }) =>
    from === undefined || to === undefined || meant(from) !== meant(to) ? [] : [{ path: ['to'], message }],
  )
}

/** A probe asks for the signature of a message or for that of a transaction. */
function unaskable(probes: unknown): Clash[] {
  return insideEach(['signature_probes'], probes, (probe) => {
    const { message, justification, tx } = probe
    const isOfMessage = message !== undefined || justification !== undefined
    if (tx === undefined) {
      return isOfMessage ? [] : [{ path: [], message: 'expected a message, its justification or both; or else a tx' }]
    }
    return [
      ...(isOfMessage ? given(probe, ['tx'], 'expected this, or a message and its justification, not both') : []),
      ...given(probe, ['signing_subnet'], 'is for a message: remove it'),
    ]
  })
}

/** Windows that share a name, or name something that the network does not have. */
function maintenanceClashes(network: Item): Clash[] {
  const windows = network['maintenance']
  return [
    ...alike('maintenance', windows, ['name'], asName),
    ...Object.entries(coveredLists).flatMap(([key, [list, ...keys]]) => {
      const known = namesIn(entriesOf(network[list]).map((item) => asText(keys.map((one) => item[one]).find(Boolean))))
      return insideEach(['maintenance'], windows, (window) =>
        listOf(window[key]).flatMap((name, place): Clash[] => {
          if (typeof name !== 'string' || known.placeOf(name) !== undefined) return []
          const near = known.nearest(name)
          const hint = near === undefined ? '' : `; did you mean ${list}[${near}]?`
          const message = `expected the name of an entry of ${list}${hint}`
          return [{ path: [key, place], message }]
        }),
      )
    }),
  ]
}

/** The upstreams of a network that the keys below can rest on. */
interface Sources {
  hasNodes: boolean
  hasService: boolean
}

/**
 * Keys behind a page that need an upstream which the network does not have: they would be read, and no page could follow. `check`
 * warns about other things that no source can observe.
 */
function withoutSource({ nodes, data_api, chains, addresses }: Item): Clash[] {
  const sources = { hasNodes: listOf(nodes).length > 0, hasService: data_api !== undefined }
  return [
    ...insideEach(['chains'], chains, (chain) => ofChain(chain, sources)),
    ...insideEach(['addresses'], addresses, (wallet) => ofWallet(wallet, sources)),
  ]
}

/** The data service knows the chains of the primary network by their ids, and all others by their numbers. */
function ofChain(chain: Item, { hasNodes, hasService }: Sources): Clash[] {
  const isListed =
    hasService && (primaryChains[asText(chain['id'])] !== undefined || chain['evm_chain_id'] !== undefined)
  if (hasNodes || isListed) return []
  const remedy = hasService
    ? 'the data service needs the number of this chain: add its evm_chain_id or a node, or remove this'
    : 'no source has the blocks of the chain: add a node under nodes or a data_api, or remove this'
  return given(chain, ['stall_after'], remedy)
}

function ofWallet(wallet: Item, { hasNodes, hasService }: Sources): Clash[] {
  const addresses = listOf(wallet['addresses']).map(asText)
  if (addresses.length === 0) return []
  if (addresses.every((address) => address.startsWith('C-'))) {
    const message = 'no source has the C-Chain balance of such addresses: watch the 0x address, or remove this'
    return given(wallet, ['min_balance'], message)
  }
  if (hasService) return []
  const onlyService = 'only the data service has this: add a data_api, or remove this'
  const outgoing = expecting(wallet, ['outgoing'], onlyService)
  // A node adds up what is on the P-Chain alone.
  const isOnP = addresses.some((address) => !/^(0x|[XC]-)/.test(address))
  if (hasNodes && isOnP) return outgoing
  const nothing = 'no source has the balance: add a node under nodes or a data_api, or remove this'
  return [...outgoing, ...given(wallet, ['min_balance'], isOnP ? nothing : onlyService)]
}

/** Addresses and chains of another network: services refuse them, and a node's answers never hold them. */
function foreignParts(network: Item): Clash[] {
  const own = networkOf(network)
  const { addresses: wallets, validators, chains, icm } = network
  return [
    ...insideEach(['addresses'], wallets, ({ addresses }) => inside(['addresses'], foreignAddresses(addresses, own))),
    ...insideEach(['validators'], validators, ({ expect }) =>
      ['reward_addresses', 'remaining_balance_owner'].flatMap((key) =>
        inside(['expect', key], foreignAddresses(mapOf(expect)[key], own)),
      ),
    ),
    ...insideEach(['chains'], chains, ({ id }) => inside(['id'], foreignId(id, own, aliasOf))),
    ...insideEach(['icm', 'routes'], mapOf(icm)['routes'], (route) =>
      ['from', 'to'].flatMap((key) =>
        inside(
          [key],
          foreignId(route[key], own, (chain) => idOf(chain, own)),
        ),
      ),
    ),
  ]
}

function foreignAddresses(addresses: unknown, own: NetworkName): Clash[] {
  return listOf(addresses).flatMap((address, at) => {
    const { value } = typeof address === 'string' ? readAddress(address) : {}
    const network = value && networkOfPrefix(value.prefix)
    if (network === undefined || network === own) return []
    const [prefix] = knownNetworks[own].prefixes
    return [{ path: [at], message: foreign('an address', network, own, `${prefix}1... or P-${prefix}1...`) }]
  })
}

function foreignId(id: unknown, own: NetworkName, expected: (chain: PrimaryChain) => string): Clash[] {
  const found = foreignChain(asText(id), own)
  if (found === undefined) return []
  return [{ path: [], message: foreign(`the ${found.chain}-Chain`, found.network, own, expected(found.chain)) }]
}

/** A network that nothing calls mainnet or fuji is taken for one of the operator's own. */
function foreign(what: string, network: NetworkName, own: NetworkName, expected: string): string {
  if (network === 'custom') return `is ${what} of a custom network, and this network is ${own}: expected ${expected}`
  return own === 'custom'
    ? `is ${what} of ${network}, and nothing says that this network is ${network}: add network: ${network}, or correct this to ${expected}`
    : `is ${what} of ${network}, and this network is ${own}: expected ${expected}`
}

function aliasOf(chain: PrimaryChain): string {
  return `${chain.toLowerCase()}-chain`
}

function idOf(chain: PrimaryChain, own: NetworkName): string {
  return blockchainIds[own]?.[chain as 'X' | 'C'] ?? `the id of its own ${chain}-Chain`
}

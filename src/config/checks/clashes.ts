// Names that become labels, and ids, must be unique: duplicates would be one series with two values.
// The values come as they stand, well-formed or not, so that a clash is reported together with everything else.

import { primaryChains, PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
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
  insideEach,
  type Item,
  listOf,
  mapOf,
  namesIn,
  taken,
} from './clash.ts'
import { coveredLists } from '../../maintenance/window.ts'
import { foreignParts } from './foreign.ts'
import { foreignChain, networkOf } from '../known-networks.ts'
import { withoutSource } from './sources.ts'
import { walletClashes } from './wallet-clashes.ts'

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

// Addresses and chains of another network: services refuse them, and a node's answers never hold them.

import { readAddress } from '../../lib/ids.ts'
import { blockchainIds, type PrimaryChain } from '../../lib/primary-network.ts'
import { asText, type Clash, entriesOf, inside, type Item, listOf, mapOf } from './clash.ts'
import { foreignChain, knownNetworks, type NetworkName, networkOf, networkOfPrefix } from '../known-networks.ts'

export function foreignParts(network: Item): Clash[] {
  const own = networkOf(network)
  const { addresses: wallets, validators, chains, icm } = network
  const inWallets = entriesOf(wallets).flatMap(({ addresses }, at) =>
    inside(['addresses', at, 'addresses'], foreignAddresses(addresses, own)),
  )
  const inExpectations = entriesOf(validators).flatMap(({ expect }, at) =>
    ['reward_addresses', 'remaining_balance_owner'].flatMap((key) =>
      inside(['validators', at, 'expect', key], foreignAddresses(mapOf(expect)[key], own)),
    ),
  )
  const inChains = entriesOf(chains).flatMap(({ id }, at) => inside(['chains', at, 'id'], foreignId(id, own, aliasOf)))
  const inRoutes = entriesOf(mapOf(icm)['routes']).flatMap((route, at) =>
    ['from', 'to'].flatMap((key) =>
      inside(
        ['icm', 'routes', at, key],
        foreignId(route[key], own, (chain) => idOf(chain, own)),
      ),
    ),
  )
  return [...inWallets, ...inExpectations, ...inChains, ...inRoutes]
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

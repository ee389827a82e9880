// Addresses and chains of another network: services refuse them, and a node's answers never hold them.

import { readAddress } from '../../lib/ids.ts'
import { blockchainIds, type PrimaryChain } from '../../lib/primary-network.ts'
import { asText, type Clash, inside, insideEach, type Item, listOf, mapOf } from './clash.ts'
import { foreignChain, knownNetworks, type NetworkName, networkOf, networkOfPrefix } from '../known-networks.ts'

export function foreignParts(network: Item): Clash[] {
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

// Addresses of another network: the data service refuses them, and a node's answers never hold them.

import { bareAddress } from '../lib/primary-network.ts'
import { type Clash, entriesOf, inside, type Item, listOf, mapOf } from './clash.ts'

const prefixes: Readonly<Record<string, string>> = { mainnet: 'avax1', fuji: 'fuji1', testnet: 'fuji1' }

/** Only where the data service says which network it is: one without it may have a prefix of its own. */
export function foreignAddresses({ name, data_api, addresses: wallets, validators }: Item): Clash[] {
  const called = data_api === undefined ? undefined : (mapOf(data_api)['network'] ?? name)
  const prefix = prefixes[String(called)]
  if (prefix === undefined) return []
  const inWallets = entriesOf(wallets).flatMap(({ addresses }, at) =>
    inside(['addresses', at, 'addresses'], foreign(addresses, prefix)),
  )
  const inExpectations = entriesOf(validators).flatMap(({ expect }, at) =>
    ['reward_addresses', 'remaining_balance_owner'].flatMap((key) =>
      inside(['validators', at, 'expect', key], foreign(mapOf(expect)[key], prefix)),
    ),
  )
  return [...inWallets, ...inExpectations]
}

function foreign(addresses: unknown, prefix: string): Clash[] {
  const message = `expected an address of this network, by data_api: ${prefix}... or P-${prefix}...`
  return listOf(addresses).flatMap((address, at) => {
    const isOurs = typeof address !== 'string' || address.startsWith('0x') || bareAddress(address).startsWith(prefix)
    return isOurs ? [] : [{ path: [at], message }]
  })
}

// Why a live node does not take an address of the P-Chain, in its words.

import { addressPrefixes, readAddress } from '../../lib/ids.ts'
import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { chainIdOf } from './node-state.ts'
import { noSuchChain, refusal } from './node-words.ts'
import { nodeOf, type Place } from '../handler.ts'

/** The simulated network goes by the names of the test network. */
const PREFIX = addressPrefixes.fuji

/** Fewer characters than a name, a 1 and a checksum have. */
const TOO_SHORT = 8

export function refuseMalformed(place: Place, addresses: readonly string[]): void {
  for (const address of addresses) {
    const flaw = addressFlaw(place, address)
    if (flaw !== undefined) throw refusal(`couldn't parse address "${address}": ${flaw}`)
  }
}

/** Undefined when it is one. Of a text that is no bech32 a node says more than this. */
function addressFlaw(place: Place, address: string): string | undefined {
  const [, alias, plain] = /^([^-]*)-(.*)$/s.exec(address) ?? []
  if (alias === undefined || plain === undefined) return 'no separator found in address'
  if (plain.length < TOO_SHORT) return `invalid bech32 string length ${plain.length}`
  const prefix = plain.slice(0, Math.max(0, plain.lastIndexOf('1')))
  const isKnownPrefix = Object.values(addressPrefixes).some((one) => one === prefix)
  if (prefix === '' || (isKnownPrefix && readAddress(plain).wrong !== undefined)) return 'invalid checksum'
  const chain = chainIdOf(nodeOf(place), place.world, alias)
  if (chain === undefined) return noSuchChain(alias).message
  if (prefix !== PREFIX) return `expected hrp "${PREFIX}" but got "${prefix}"`
  if (chain === PRIMARY_NETWORK_ID) return undefined
  return `mismatched chainIDs: expected "${PRIMARY_NETWORK_ID}" but got "${chain}"`
}

// platform.getBalance: what addresses hold on the P-Chain, without what is staked.

import { getBalance } from '../../operations/node/platform-subnets.ts'
import { handles, nodeOf, type Place } from '../handler.ts'
import { AVAX } from '../world/fixed-ids.ts'
import { isStaked, type Utxo } from '../world/transactions.ts'
import { walletsOf } from './utxos.ts'
import { addressPrefixes, readAddress } from '../../lib/ids.ts'
import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { chainIdOf } from '../node/node-state.ts'
import { noSuchChain, refusal } from '../node/node-words.ts'

export const handleGetBalance = handles(getBalance, (place, { addresses }) => {
  const { world, dialect } = place
  if (dialect === 'live') refuseMalformed(place, addresses)
  const now = world.now()
  const held = walletsOf(addresses.join(','))
    .flatMap((wallet) => [...world.ledger.utxosOf(wallet)])
    .filter((utxo) => !utxo.spent && utxo.chain === 'P' && utxo.destination === 'P' && !isStaked(utxo, now))
  const [all, unlocked, lockedStakeable, lockedNotStakeable] = [
    sums(held),
    sums(held.filter((utxo) => stateOf(utxo, now) === 'unlocked')),
    sums(held.filter((utxo) => stateOf(utxo, now) === 'lockedStakeable')),
    sums(held.filter((utxo) => stateOf(utxo, now) === 'lockedNotStakeable')),
  ]
  return {
    balance: all[AVAX.id] ?? '0',
    unlocked: unlocked[AVAX.id] ?? '0',
    lockedStakeable: lockedStakeable[AVAX.id] ?? '0',
    lockedNotStakeable: lockedNotStakeable[AVAX.id] ?? '0',
    balances: all,
    unlockeds: unlocked,
    lockedStakeables: lockedStakeable,
    lockedNotStakeables: lockedNotStakeable,
    utxoIDs:
      dialect === 'live' && held.length === 0
        ? null
        : held.map(({ txId, index }) => ({ txID: txId, outputIndex: index })),
  }
})

function stateOf({ platformLocktime = 0, stakeableLocktime = 0 }: Utxo, now: number) {
  if (platformLocktime > now) return 'lockedNotStakeable'
  return stakeableLocktime > now ? 'lockedStakeable' : 'unlocked'
}

/** By asset id. */
function sums(utxos: readonly Utxo[]): Record<string, string> {
  const groups = Map.groupBy(utxos, ({ asset }) => asset.id)
  return Object.fromEntries(
    [...groups].map(([id, group]) => [id, String(group.reduce((sum, { amount }) => sum + amount, 0n))]),
  )
}

// Why a live node does not take an address of the P-Chain, in its words.

/** The simulated network goes by the names of the test network. */
const PREFIX = addressPrefixes.fuji

/** Fewer characters than a name, a 1 and a checksum have. */
const TOO_SHORT = 8

function refuseMalformed(place: Place, addresses: readonly string[]): void {
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

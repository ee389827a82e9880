// platform.getBalance: what addresses hold on the P-Chain, without what is staked.

import { getBalance } from '../../operations/node/platform-subnets.ts'
import { refuseMalformed } from '../node/live-address.ts'
import { handles } from '../handler.ts'
import { AVAX } from '../world/fixed-ids.ts'
import { isStaked, type Utxo } from '../world/transactions.ts'
import { walletsOf } from './utxos.ts'

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

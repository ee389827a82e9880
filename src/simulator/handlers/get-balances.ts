// Get balances: what wallets had at a time, by what they could do with it.

import type { PrimaryChain } from '../../lib/primary-network.ts'
import { getBalances } from '../../operations/data/utxos.ts'
import { type Dialect, handles } from '../handler.ts'
import { chainIds } from '../world/fixed-ids.ts'
import { isStaked, type Utxo } from '../world/transactions.ts'
import type { World } from '../world/world.ts'
import { chainInfoOf } from './chain-info.ts'
import { chainOf } from './primary-network-block.ts'
import { amountOf } from './utxo-record.ts'
import { walletsOf } from './utxos.ts'

type Kind =
  | 'unlockedUnstaked'
  | 'unlockedStaked'
  | 'lockedPlatform'
  | 'lockedStakeable'
  | 'lockedStaked'
  | 'pendingStaked'
  | 'atomicMemoryUnlocked'
  | 'atomicMemoryLocked'

const ATOMIC: readonly Kind[] = ['atomicMemoryUnlocked', 'atomicMemoryLocked']
/** What each chain can have: its members in an answer, also where there is nothing. */
const kinds: Readonly<Record<PrimaryChain, readonly Kind[]>> = {
  P: [
    'unlockedUnstaked',
    'unlockedStaked',
    'lockedPlatform',
    'lockedStakeable',
    'lockedStaked',
    'pendingStaked',
    ...ATOMIC,
  ],
  X: ['unlockedUnstaked', 'lockedPlatform', ...ATOMIC],
  C: ATOMIC,
}

/** The live service's own words on the X-Chain. */
const liveOnX: Readonly<Partial<Record<Kind, string>>> = { unlockedUnstaked: 'unlocked', lockedPlatform: 'locked' }

export const handleGetBalances = handles(
  getBalances,
  ({ world, dialect }, { network, blockchainId, blockTimestamp = 0, addresses = '' }) => {
    const chain = chainOf(network, blockchainId)
    // 0 stands for now.
    const at = Math.min(blockTimestamp || Infinity, world.now())
    const wallets = walletsOf(addresses)
    const had = wallets
      .flatMap((wallet) => world.ledger.utxosOf(wallet))
      .filter(({ destination, time, spent }) => destination === chain && time <= at && !(spent && spent.time <= at))
    const balances = Object.fromEntries(
      kinds[chain].map((kind) => [
        (dialect === 'live' && chain === 'X' && liveOnX[kind]) || kind,
        entriesOf(
          had.filter((utxo) => kindOf(utxo, at) === kind),
          ATOMIC.includes(kind),
          chain === 'P' ? 'document' : dialect,
        ),
      ]),
    )
    const restaked = dialect === 'live' && chain === 'P' && blockTimestamp === 0
    const more = restaked ? { restakedRewards: String(restakedBy(wallets, world)) } : {}
    return { balances: { ...balances, ...more }, chainInfo: chainInfoOf(chain) }
  },
)

/** What validators of these owners have staked again, of which there are no UTXOs. */
function restakedBy(wallets: readonly string[], { validators }: World): bigint {
  const own = [...validators.all.values()].filter(({ owner }) => wallets.includes(owner))
  return own.reduce((sum, { compounded }) => sum + compounded, 0n)
}

function kindOf(utxo: Utxo, at: number): Kind {
  const { chain, destination, stake, platformLocktime = 0, stakeableLocktime = 0 } = utxo
  const locked = Math.max(platformLocktime, stakeableLocktime)
  if (chain !== destination) return locked > at ? 'atomicMemoryLocked' : 'atomicMemoryUnlocked'
  if (stake && isStaked(utxo, at)) {
    if (stake.start > at) return 'pendingStaked'
    return locked > stake.end ? 'lockedStaked' : 'unlockedStaked'
  }
  if (platformLocktime > at) return 'lockedPlatform'
  return stakeableLocktime > at ? 'lockedStakeable' : 'unlockedUnstaked'
}

/** One for each asset, in atomic memory for each asset and chain; only the P-Chain has a status of them when live. */
function entriesOf(utxos: readonly Utxo[], isAtomic: boolean, dialect: Dialect) {
  const groups = Map.groupBy(utxos, ({ asset, chain }) => `${asset.id} ${chain}`)
  return [...groups.values()].map((group) => {
    const { asset, chain } = group[0]!
    return {
      ...amountOf(
        asset,
        group.reduce((sum, { amount }) => sum + amount, 0n),
      ),
      utxoCount: group.length,
      ...(isAtomic ? { sharedWithChainId: chainIds[chain] } : {}),
      ...(isAtomic && dialect === 'document' ? { status: 'pending' } : {}),
    }
  })
}

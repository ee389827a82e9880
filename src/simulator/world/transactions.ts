// Transactions of the primary network, and the UTXOs that they make and spend.

import type { PrimaryChain } from '../../lib/primary-network.ts'
import type { Inclusion } from './blocks.ts'
import type { Asset } from './fixed-ids.ts'
import { toBase58 } from './random.ts'
import type { Renewal } from './stakes.ts'

/** What a transaction makes. */
export interface Output {
  /** Without the prefix of a chain. */
  owner: string
  amount: bigint
  asset?: Asset
  /** The chain whose it is; another than the one it is made on: it waits in their shared memory to be imported. */
  destination?: PrimaryChain
  /** Staked from `start` to `end`, and not to be spent meanwhile. */
  stake?: { start: number; end: number }
  rewardType?: string
  /** Not to be spent before, or only staked before (Unix seconds). */
  platformLocktime?: number
  stakeableLocktime?: number
  /** Which one of its asset it is, and what it holds in hex, where no two are alike. */
  nft?: { groupId: number; payload: string }
}

export interface Utxo extends Output {
  id: string
  asset: Asset
  /** The chain it was made on. */
  chain: PrimaryChain
  destination: PrimaryChain
  txId: string
  index: number
  height: number
  time: number
  spent?: { txId: string; chain: PrimaryChain } & Inclusion
}

/** What a transaction says apart from the UTXOs. Amounts are in the smallest unit of the staking token. */
export interface Facts {
  memo?: string
  sourceChain?: PrimaryChain
  destinationChain?: PrimaryChain
  nodeId?: string
  subnetId?: string
  start?: number
  end?: number
  /** Of a validator of a permissioned subnet, which stakes nothing. */
  weight?: bigint
  /** Percent. */
  delegationFee?: number
  estimatedReward?: bigint
  rewardAddresses?: readonly string[]
  /** Of a reward: the stake that it is for. Of a stake: the reward that it got. */
  stakingTxId?: string
  rewardTxId?: string
  /** EVM addresses that pay for an export of the C-Chain or get an import to it. */
  evm?: readonly { address: string; amount: bigint }[]
  /** What goes into the balances of L1 validators. */
  l1Balance?: bigint
  l1Validators?: readonly L1Fact[]
  /** Who may change the subnet. */
  subnetOwners?: { threshold: number; addresses: readonly string[] }
  /** The blockchain that it creates. */
  blockchainId?: string
  l1Manager?: { blockchainId: string; contractAddress: string }
  bls?: { publicKey: string; proofOfPossession: string }
  /** Of a validation that goes on by itself, and of a change of that. */
  renewal?: Renewal
}

export interface L1Fact {
  validationId: string
  nodeId: string
  subnetId: string
  weight: bigint
  remainingBalance: number
  balanceChange?: number
  /** Where it becomes a validator. */
  bls?: NonNullable<Facts['bls']>
}

export interface Transaction extends Inclusion {
  id: string
  chain: PrimaryChain
  type: string
  /** Its place in the block. */
  position: number
  consumed: readonly Utxo[]
  emitted: readonly Utxo[]
  facts: Facts
}

/** Of two transactions of one chain: below 0 when the first came first. */
export function inChain(a: Transaction, b: Transaction): number {
  // What was there before the first block has no place of its own.
  return a.height - b.height || a.position - b.position || (a.id < b.id ? -1 : Number(a.id > b.id))
}

/** The transaction's own letters but the first two, which costs nothing: there are hundreds of thousands of them. */
export function utxoId(txId: string, index: number): string {
  return txId.slice(2) + toBase58(index, 2)
}

/** Whether it belongs to a stake that has not ended by then, be it that it has not begun either. */
export function isStaked({ stake }: Utxo, at: number): boolean {
  return stake !== undefined && stake.end > at
}

/** Whether a wallet can spend it on a chain at a time. */
export function isFree(
  { chain, destination, stake, platformLocktime, stakeableLocktime }: Utxo,
  on: PrimaryChain,
  at: number,
) {
  const held = Math.max(stake?.end ?? 0, platformLocktime ?? 0, stakeableLocktime ?? 0)
  return chain === on && destination === on && held <= at
}

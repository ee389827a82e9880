// Unspent outputs of the staking token, from the data service's lists of UTXOs (document 1, operations 3 and 7).

import { BaseError } from '../../errors.ts'
import { bareAddress, type PrimaryChain } from '../../lib/primary-network.ts'
import type { Answer, AnswerOf } from '../../operations/define.ts'
import type { listUtxos } from '../../operations/data/utxos.ts'
import type { Asked } from '../answers/chain-info.ts'
import { isWord, knownSpelling } from '../answers/spelling.ts'
import { wholeList } from '../answers/whole-list.ts'
import { isStakingToken } from './staking-token.ts'
import { ownItems } from './wallets.ts'

type Utxo = AnswerOf<typeof listUtxos>['utxos'][number]

export const states = ['unlocked', 'locked', 'staked', 'atomic_memory'] as const
type State = (typeof states)[number]

/** The types on each chain: without any UTXO of a type its sum is known to be 0. Others are `other`. */
export const types: Readonly<Record<PrimaryChain, readonly string[]>> = {
  P: ['TRANSFER', 'STAKE'],
  X: ['TRANSFER'],
  C: ['TRANSFER'],
}

export interface Output {
  /** Addresses without the prefix of a chain. */
  owners: readonly string[]
  type: string
  state: State
  amount: bigint
  /** Unix seconds; 0 without a lock. */
  lockedUntil: bigint
}

export interface AskedAddresses extends Asked {
  /** Without the prefix of a chain. */
  addresses: readonly string[]
  /** All outputs belong to this wallet, which then owns those that name no owner. */
  areOfOneWallet: boolean
  now: number
}

/** By id. Every sum needs all of them: one unknown makes the rest useless. */
export async function unspentOutputs(
  answers: AsyncIterable<Answer<{ utxos: Utxo[] }>>,
  asked: AskedAddresses,
): Promise<ReadonlyMap<string, Output>> {
  const unspent = ({ utxos }: { utxos: Utxo[] }) => utxos.filter((utxo) => !isSpent(utxo))
  const listed = await wholeList('UTXOs', answers, unspent, ({ utxoId }) => utxoId)
  const own = ownItems({ addresses: asked.addresses.join(',') }, listed, ownersOf)
  return new Map(own.flatMap((utxo) => outputs(utxo, asked)))
}

function isSpent({ consumingTxHash, consumingBlockNumber, consumingBlockTimestamp }: Utxo): boolean {
  return Boolean(consumingTxHash || consumingBlockNumber || consumingBlockTimestamp)
}

function ownersOf({ addresses = [] }: Utxo): string[] {
  return addresses.map(bareAddress)
}

/** None of another asset. On live services only `asset` has the amount on the X- and the C-Chain. */
function outputs(utxo: Utxo, asked: AskedAddresses): [string, Output][] {
  const { utxoId, asset, utxoType, platformLocktime, stakeableLocktime, locktime } = utxo
  const { assetId = asset?.assetId, amount = asset?.amount } = utxo
  if (assetId !== undefined && !isStakingToken(assetId, asked.network)) return []
  const named = ownersOf(utxo)
  const owners = named.length === 0 && asked.areOfOneWallet ? asked.addresses : named
  if (assetId === undefined || amount === undefined || owners.length === 0) {
    throw new BaseError('bad_response', 'some UTXOs have no asset, amount or owner')
  }
  const type = knownSpelling(types[asked.chain], utxoType) ?? 'other'
  const lockedUntil = latest(platformLocktime, stakeableLocktime, locktime)
  return [[utxoId, { owners, type, amount, lockedUntil, state: stateOf(utxo, lockedUntil, asked) }]]
}

function latest(...times: readonly (bigint | undefined)[]): bigint {
  return times.reduce<bigint>((last, time = 0n) => (time > last ? time : last), 0n)
}

/** A stake remains one until its end; its output may be marked as staked even after that. */
function stateOf(utxo: Utxo, lockedUntil: bigint, { chain, now }: AskedAddresses): State {
  const { staked = isWord(utxo.utxoType, 'STAKE'), utxoEndTimestamp: end, createdOnChainId, consumedOnChainId } = utxo
  if (staked && (end === undefined || end * 1_000 > now)) return 'staked'
  // Locks can reach to the end of time, which no double represents.
  if (lockedUntil * 1_000n > BigInt(now)) return 'locked'
  const hasLeft = createdOnChainId && consumedOnChainId && createdOnChainId !== consumedOnChainId
  // For the C-Chain the service knows nothing else.
  return hasLeft || chain === 'C' ? 'atomic_memory' : 'unlocked'
}

// The transactions of a wallet that trades: what goes in comes out, less the fee.

import type { Inclusion } from './blocks.ts'
import { type Asset, AVAX } from './fixed-ids.ts'
import type { Draft, Ledger } from './ledger.ts'
import { type Facts, isFree, type Output, type Utxo } from './transactions.ts'

/** Burned in the smallest unit by a transaction of each chain, and by one that makes an asset. */
export const FEES = { P: 40_000n, X: 1_000_000n, C: 350_000n } as const
export const CREATION_FEE = 10_000_000n

interface Spending {
  chain: 'P' | 'X'
  owner: string
  type: string
  /** What others or other chains get, paid from the owner's UTXOs. */
  outputs: readonly Output[]
  fee?: bigint
  facts?: Facts
}

/** Undefined where the owner has not the funds. What is left over goes back to the owner. */
export function spending(ledger: Ledger, { time }: Inclusion, asked: Spending): Draft | undefined {
  const { chain, owner, type, outputs, fee = FEES[chain], facts = {} } = asked
  const needs = new Map<Asset, bigint>([[AVAX, fee]])
  for (const { asset = AVAX, amount } of outputs) needs.set(asset, (needs.get(asset) ?? 0n) + amount)
  const consumed: Utxo[] = []
  const change: Output[] = []
  for (const [asset, need] of needs) {
    const coins = coinsOf(ledger.unspentOf(owner), asset, need, (utxo) => isFree(utxo, chain, time))
    if (!coins) return undefined
    consumed.push(...coins)
    const rest = sumOf(coins) - need
    if (rest > 0n) change.push({ owner, amount: rest, asset })
  }
  return { type, consumed, outputs: [...outputs, ...change], facts }
}

/** More coins than this of one asset a trader does not keep. */
const COINS = 40

/** The oldest; at least two where there are two, so that small change does not pile up. */
function coinsOf(unspent: Iterable<Utxo>, asset: Asset, need: bigint, isUsable: (utxo: Utxo) => boolean) {
  const usable = [...unspent].filter((utxo) => utxo.asset.id === asset.id && isUsable(utxo))
  const coins: Utxo[] = []
  let sum = 0n
  for (const utxo of usable) {
    coins.push(utxo)
    sum += utxo.amount
    if (sum >= need && coins.length > 1 && usable.length - coins.length <= COINS) return coins
  }
  return sum >= need ? coins : undefined
}

export function sumOf(utxos: readonly Utxo[]): bigint {
  return utxos.reduce((sum, { amount }) => sum + amount, 0n)
}

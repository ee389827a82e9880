// Transactions of unwatched addresses: one coin that goes from hand to hand, so that each is worked out from its number.

import type { PrimaryChain } from '../../lib/primary-network.ts'
import { addressOf, CHECKSUM, LETTERS } from './ids.ts'
import type { Chain } from './blocks.ts'
import { AVAX } from './fixed-ids.ts'
import { fromBase58, fromBech32, random, toBech32 } from './random.ts'
import { type Transaction, type Utxo, utxoId } from './transactions.ts'

export interface Strangers {
  /** The newest first. */
  inBlock(height: number): Transaction[]
  find(id: string): Transaction | undefined
  /** The one that gave the address the coin, and the one that took it away again. */
  of(address: string): Transaction[]
}

const COIN = 50_000_000_000_000_000n
const FEE = 10_000n
/** Letters of an address, the last before its checksum: the number of the transaction that it gets the coin in. */
const NUMBER = 8

export function createStrangers(seed: number, name: PrimaryChain, chain: Chain): Strangers {
  const holderOf = (number: number) =>
    addressOf(random(seed, name, 'stranger', number).bech32(LETTERS - NUMBER) + toBech32(number + 1, NUMBER))

  const isThere = (number: number) => {
    const height = Math.floor(number / 3)
    return number >= 0 && height <= chain.head() && number % 3 < chain.strangers(height)
  }

  /** The transaction before or after, if there is one. */
  function next(number: number, step: 1 | -1): number | undefined {
    const last = 3 * chain.head() + 2
    for (let at = number + step; at >= 0 && at <= last; at += step) if (isThere(at)) return at
    return undefined
  }

  /** What is known of a transaction without those around it. */
  function place(number: number) {
    const height = Math.max(0, Math.floor(number / 3))
    const id = number < 0 ? random(seed, name, 'first coin').base58(50) : chain.strangerId(number)
    return { id, height, time: chain.time(height)!, chain: name }
  }

  /** The coin as the transaction leaves it; before the first one it comes out of nowhere. */
  function coin(number: number): Utxo {
    const { id: txId, height, time } = place(number)
    const taken = next(number, 1)
    return {
      id: utxoId(txId, 0),
      owner: holderOf(number),
      amount: COIN - FEE * BigInt(number + 1),
      asset: AVAX,
      chain: name,
      destination: name,
      txId,
      index: 0,
      height,
      time,
      ...(taken === undefined ? {} : { spent: spentBy(place(taken)) }),
    }
  }

  const spentBy = ({ id, ...where }: ReturnType<typeof place>) => ({ txId: id, ...where })

  function transaction(number: number): Transaction {
    return {
      ...place(number),
      type: 'BaseTx',
      position: number % 3,
      consumed: [coin(next(number, -1) ?? -1)],
      emitted: [coin(number)],
      facts: {},
    }
  }

  return {
    inBlock: (height) =>
      Array.from({ length: chain.strangers(height) }, (_, at) => transaction(3 * height + at)).toReversed(),
    find(id) {
      const number = fromBase58(id.slice(-NUMBER))
      return isThere(number) && chain.strangerId(number) === id ? transaction(number) : undefined
    },
    of(address) {
      const number = fromBech32(address.slice(-NUMBER - CHECKSUM, -CHECKSUM)) - 1
      if (holderOf(number) !== address) return []
      const taken = next(number, 1)
      return [...(isThere(number) ? [number] : []), ...(taken === undefined ? [] : [taken])].map(transaction)
    },
  }
}

// Reads the ERC-20 transfers that the data service lists of a wallet: which of them can be true, and on which side the
// wallet is.

import { BaseError, refusal } from '../../errors.ts'
import { isInFuture } from '../../lib/clock.ts'
import type { listErc20Transfers } from '../../operations/data/evm.ts'
import type { Answer, AnswerOf } from '../../operations/define.ts'
import { growth, inFuture, mostSince } from '../counting/believed.ts'
import type { EvmWallet } from './wallets.ts'

export type Transfer = AnswerOf<typeof listErc20Transfers>['transactions'][number]

export interface Reading {
  pages: AsyncIterable<readonly Transfer[]>
  /** The list was read to its end. */
  ended: boolean
  /** The newest block read so far; 0 without any. */
  newest: bigint
  /** Number of transfers that are unreadable, incomplete or impossible: any of them may have left. */
  lost: number
  /** Why impossible transfers were left out. */
  flaw: BaseError | undefined
  /** Decimal places by contract, as first listed. */
  places: Map<string, number>
}

export function reading(
  listed: AsyncIterable<Answer<{ transactions: Transfer[] }>>,
  direction: Directions,
  impossible: (transfer: Transfer) => BaseError | undefined,
): Reading {
  async function* own() {
    for await (const { value, dropped } of listed) {
      const ours = value.transactions.filter((transfer) => direction(transfer) !== undefined)
      if (ours.length === 0 && value.transactions.length > 0) {
        throw new BaseError('bad_response', 'the data service lists transfers of other addresses')
      }
      const kept = ours.filter((transfer) => impossible(transfer) === undefined)
      for (const transfer of ours) list.flaw ??= impossible(transfer)
      for (const { erc20Token: token } of kept) {
        const contract = token?.address.toLowerCase() ?? ''
        if (token?.decimals !== undefined && !list.places.has(contract)) list.places.set(contract, token.decimals)
      }
      list.lost += dropped + value.transactions.length - kept.length
      list.newest = kept.reduce((newest, { blockNumber }) => (blockNumber > newest ? blockNumber : newest), list.newest)
      yield kept
    }
    list.ended = true
  }
  const list: Reading = { pages: own(), ended: false, newest: 0n, lost: 0, flaw: undefined, places: new Map() }
  return list
}

/** The newest block of the chain, and when it was (milliseconds). */
export interface Head {
  height: string
  at: number
}

/** Why a transfer cannot be true; undefined if it can. */
export function possibleBy(head: Head | undefined, now: number) {
  const highest = head && BigInt(head.height) + mostSince(growth.blocks.since, head.at, now)
  return ({ blockNumber, blockTimestamp = 0 }: Transfer): BaseError | undefined => {
    if (isInFuture(blockTimestamp, now)) return inFuture('a listed transfer')
    const isTooHigh = highest !== undefined && blockNumber > highest
    return isTooHigh ? refusal('height', 'left out transfers in blocks that the chain cannot have yet') : undefined
  }
}

/** Undefined if neither side is the wallet. Transfers between its own addresses are neither incoming nor outgoing. */
export type Directions = (transfer: Transfer) => 'in' | 'out' | 'between' | undefined

export function directionsOf({ wallet: { addresses } }: EvmWallet): Directions {
  const own = new Set(addresses.map((address) => address.toLowerCase()))
  const isOwn = (side: Transfer['from']) => side !== undefined && own.has(side.address.toLowerCase())
  return ({ from, to }) => (isOwn(from) ? (isOwn(to) ? 'between' : 'out') : isOwn(to) ? 'in' : undefined)
}

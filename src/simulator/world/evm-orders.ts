// Transactions of an EVM chain that were ordered by hand: each takes the place of a stranger's.

import type { Token } from './evm-accounts.ts'

export interface Order {
  from: string
  to: string
  /** In the smallest unit, of the token or of the chain's own. */
  value: bigint
  token: Token | undefined
}

/** By the number of the transaction. */
export type Orders = ReadonlyMap<number, Order>

/** How many of them an address has sent before a transaction. */
export function ordersFrom(orders: Orders, address: string, before: number): number {
  let count = 0
  for (const [number, { from }] of orders) if (from === address && number < before) count += 1
  return count
}

/** The transactions in which it has a part, before that one. */
export function ordersWith(orders: Orders, address: string, before: number): number[] {
  return [...orders].flatMap(([number, { from, to }]) =>
    number < before && (from === address || to === address) ? [number] : [],
  )
}

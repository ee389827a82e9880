// Values of gauges over the month: first and last, by day, and prices.

import type { Labels } from '../../../lib/label-text.ts'
import { DAY, HOUR, type Month } from '../month.ts'
import { type Answer, type At, having, knownOf, knownWith } from './series.ts'
import { rounded, tokens, tokensAsNumber } from './tokens.ts'

/** Times in seconds since the epoch. */
export type Change<T> = NonNullable<ReturnType<typeof changeOf<T>>>

/** The first and the last value of the month that are known. */
export function changeOf<T>(known: readonly At<number>[], read: (value: number) => T) {
  const [first, last] = [known[0], known.at(-1)]
  if (!first || !last) return undefined
  const at = ({ time, value }: At<number>): At<T> => ({ time, value: read(value) })
  return { first: at(first), last: at(last) }
}

/** The last known value of each day that has begun. */
export function dailyOf<T>(known: readonly At<number>[], { start, until }: Month, read: (value: number) => T) {
  return Array.from({ length: Math.ceil((until - start) / DAY) }, (_, day) => {
    const from = start + day * DAY
    const last = known.findLast(({ time }) => time > from && time <= from + DAY)
    return { start: from, value: last && read(last.value) }
  })
}

export const lastOf = (answer: Answer, labels: Labels, month: Month) => knownWith(answer, labels, month).at(-1)?.value

export interface Money {
  tokens: bigint
  /** At the price of the time; without a price it is undefined. */
  value: { currency: string; amount: number } | undefined
}

/** Undefined where the reward of a period is not known. */
export type Amounts = readonly (Money | undefined)[]

/** What the amount is worth at the last price of the month up to that time. */
export function moneyAt(amount: bigint, network: string, time: number, prices: Answer, month: Month): Money {
  const known = prices.series
    .filter(({ labels }) => labels['network'] === network)
    .flatMap(({ labels }) => {
      const last = knownWith(prices, labels, month).findLast((one) => one.time <= time)
      return last ? [{ ...last, currency: labels['currency'] ?? '' }] : []
    })
  const [price] = known.toSorted((a, b) => b.time - a.time)
  return {
    tokens: amount,
    value: price && { currency: price.currency, amount: rounded(tokensAsNumber(amount) * price.value) },
  }
}

/** The rewards that were still pending at the end, at the price of that time. */
export function pendingRewards(pending: Answer, labels: Labels, prices: Answer, month: Month) {
  return having(pending, labels).flatMap((one) => {
    const last = knownOf(one, pending.grid, month).at(-1)
    if (!last || last.time <= month.until - HOUR) return []
    const money = moneyAt(tokens(last.value), labels['network'] ?? '', month.until, prices, month)
    return [{ type: one.labels['reward_type'] ?? '', money }]
  })
}

// Values of gauges over the month: first and last, by day, and prices. And amounts of the staking token, exact: whole numbers of its
// smallest unit, and their text.

import type { Labels } from '../../../lib/label-text.ts'
import { DAY, HOUR } from '../../../lib/seconds.ts'
import type { Month } from '../month.ts'
import { type Answer, type At, having, knownOf, knownWith } from './series.ts'

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

/** The primary network's token has nine decimal places. */
const DECIMALS = 9

/** Metrics are doubles, which have the smallest unit up to nine million tokens; beyond, it is the nearest. */
export function tokens(value: number): bigint {
  // From here on a text has an exponent, and a double no decimal places.
  if (Math.abs(value) >= 1e21) return BigInt(value) * 10n ** BigInt(DECIMALS)
  return BigInt(value.toFixed(DECIMALS).replace('.', ''))
}

/** `2000.5`: all places that are not zero, never an exponent. */
export function tokenText(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(DECIMALS + 1, '0')
  const places = digits.slice(-DECIMALS).replace(/0+$/, '')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -DECIMALS)}${places === '' ? '' : `.${places}`}`
}

/** `2,000.5`, for people. */
export function groupedTokens(amount: bigint): string {
  const [whole = '', places] = tokenText(amount).split('.')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${places === undefined ? '' : `.${places}`}`
}

/** To twelve significant digits: the last ones of a double are noise of its arithmetic. */
export const rounded = (value: number) => Number(value.toPrecision(12))

/** A number as a decimal text without an exponent, to twelve significant digits. */
export function decimalText(value: number): string {
  const short = rounded(value)
  const exponent = short === 0 ? 0 : Math.floor(Math.log10(Math.abs(short)))
  const text = short.toFixed(Math.min(100, Math.max(0, 11 - exponent)))
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** For charts and prices, where the last places do not matter. */
export function tokensAsNumber(amount: bigint): number
export function tokensAsNumber(amount: bigint | undefined): number | undefined
export function tokensAsNumber(amount: bigint | undefined): number | undefined {
  return amount === undefined ? undefined : Number(amount) / 10 ** DECIMALS
}

// Counters of an exposition and counts of the network in one form: numbers by a path of names.

import { toTokens } from '../../src/lib/units.ts'
import { seriesOf } from '../support/exposition.ts'

export type Sums = Record<string, number>
const withoutZeros = (entries: readonly (readonly [string, number])[]): Sums =>
  Object.fromEntries(entries.filter(([, value]) => value !== 0))

/** What a counter says, by the values of these labels; a count that began is as good as one that is 0. */
export function sumsOf(text: string, name: string, ...labels: string[]): Sums {
  return withoutZeros(
    seriesOf(text, name).map(({ labels: own, value }) => [labels.map((label) => own[label]).join(' '), value]),
  )
}

/** The values that a counter has, whatever its labels: nothing but 0 where nothing was missed. */
export function valuesOf(text: string, name: string): number[] {
  return [...new Set(seriesOf(text, name).map(({ value }) => value))]
}

/** What the network counted: the numbers in nested objects, by their path. */
function flat(counted: unknown, path: readonly string[] = []): [string, number][] {
  if (typeof counted !== 'object' || counted === null) return [[path.join(' '), Number(counted)]]
  return Object.entries(counted).flatMap(([key, value]) => flat(value, [...path, key]))
}
export const each = <T>(counted: Record<string, T>, of: (one: T) => unknown): Sums =>
  withoutZeros(flat(Object.fromEntries(Object.entries(counted).map(([key, one]) => [key, of(one)]))))
export const tokens = (amount: string, decimals?: number) => toTokens(BigInt(amount), decimals)

/** How many were counted altogether. */
export const itemsOf = (sums: Sums) => Object.values(sums).reduce((sum, count) => sum + count, 0)

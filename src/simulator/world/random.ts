// Randomness that depends on a name alone: the same seed and name give the same numbers, in any order of asking.

import { hash32 } from '../../lib/hash.ts'

export interface Random {
  /** In [0, 1). */
  next(): number
  /** Whole number in [low, high]. */
  between(low: number, high: number): number
  pick<T>(items: readonly T[]): T
  /** A base58 text, as ids are. */
  base58(length: number): string
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

export function random(...name: readonly (string | number)[]): Random {
  let state = hash32(name.join('/'))
  // mulberry32: small, fast and good enough to look like weather.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    between,
    pick: (items) => items[between(0, items.length - 1)]!,
    base58(length) {
      let text = ''
      while (text.length < length) text += ALPHABET[between(0, ALPHABET.length - 1)]
      return text
    },
  }
}

/** The digits of a whole number, filled up to a length. */
export function toBase58(number: number, length: number): string {
  let digits = ''
  for (let rest = number; digits.length < length; rest = Math.floor(rest / 58)) digits = ALPHABET[rest % 58]! + digits
  return digits
}

/** Some number or other when the text is none. */
export function fromBase58(digits: string): number {
  let number = 0
  for (const digit of digits) number = number * 58 + ALPHABET.indexOf(digit)
  return number
}

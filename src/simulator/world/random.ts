// Randomness that depends on a name alone: the same seed and name give the same numbers, in any order of asking.

import { hash32 } from '../../lib/hash.ts'
import { idOf } from './ids.ts'

export interface Random {
  /** In [0, 1). */
  next(): number
  /** Whole number in [low, high]. */
  between(low: number, high: number): number
  pick<T>(items: readonly T[]): T
  /** A base58 text, as ids are. */
  base58(length: number): string
  /** The letters of an address, as wallets have them. */
  bech32(length: number): string
  /** Hexadecimal digits. */
  hex(length: number): string
}

const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Where texts are written, one after the other: few are longer. */
const DRAFT = Buffer.alloc(128)

/** The numbers alone, in [0, 1): for what is asked for by the million. */
export function numbersOf(name: string): () => number {
  let state = hash32(name)
  // mulberry32: small, fast and good enough to look like weather.
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Whole number in [low, high]. */
export const wholeOf = (next: () => number, low: number, high: number) => low + Math.floor(next() * (high - low + 1))

export function random(...name: readonly (string | number)[]): Random {
  const next = numbersOf(name.join('/'))
  const between = (low: number, high: number) => wholeOf(next, low, high)
  function letters(alphabet: string, length: number): string {
    // Grown letter by letter, a text would be kept as a chain of them, and ids are kept by the hundred thousand.
    const text = length <= DRAFT.length ? DRAFT : Buffer.alloc(length)
    for (let at = 0; at < length; at += 1) text[at] = alphabet.charCodeAt(between(0, alphabet.length - 1))
    return text.toString('latin1', 0, length)
  }
  return {
    next,
    between,
    pick: (items) => items[between(0, items.length - 1)]!,
    base58: (length) => letters(ALPHABET, length),
    bech32: (length) => letters(BECH32, length),
    hex: (length) => letters('0123456789abcdef', length),
  }
}

/** The id of the thing with this number: no two of a kind are alike, however many there are. */
export function numberedId(number: number, ...kind: readonly (string | number)[]): string {
  return idOf([...kind, number].join('/'))
}

/** The digits of a whole number, filled up to a length. */
export const toBase58 = (number: number, length: number) => digitsOf(number, length, ALPHABET)
export const toBech32 = (number: number, length: number) => digitsOf(number, length, BECH32)
/** All digits of an id. */
export const exactFromBase58 = (digits: string) =>
  Array.from(digits).reduce((number, digit) => number * 58n + BigInt(ALPHABET.indexOf(digit)), 0n)
/** Some number or other when the text is none. */
export const fromBase58 = (digits: string) => numberOf(digits, ALPHABET)
export const fromBech32 = (digits: string) => numberOf(digits, BECH32)

function digitsOf(number: number, length: number, alphabet: string): string {
  let digits = ''
  for (let rest = number; digits.length < length; rest = Math.floor(rest / alphabet.length)) {
    digits = alphabet[rest % alphabet.length]! + digits
  }
  return digits
}

function numberOf(digits: string, alphabet: string): number {
  let number = 0
  for (const digit of digits) number = number * alphabet.length + alphabet.indexOf(digit)
  return number
}

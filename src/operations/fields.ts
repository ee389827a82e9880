// Field types that the two documents share. Each accepts the documents' wire form and the live one, and gives ours.

import { z } from 'zod'
import { isLabel } from '../lib/label-value.ts'
import { canBeLeftOut } from './left-out.ts'

const DIGITS = /^\d{1,78}$/
const QUANTITY = /^0x[\da-fA-F]{1,64}$/
const INTEGER = /^-?\d{1,15}$/
const DECIMAL = /^-?\d{1,78}(\.\d{1,78})?(e[-+]?\d{1,2})?$/i

/** An unsigned integer of up to 256 bits: decimal string or JSON number on the wire, bigint for us. */
export const unsigned = z
  .union([z.string().regex(DIGITS, 'expected a decimal integer'), z.int().nonnegative(), z.bigint().nonnegative()])
  .transform((value) => BigInt(value))

/** An integer as chains with an EVM write it. */
export const quantity = z.string().regex(QUANTITY, 'expected a hexadecimal integer').transform(BigInt)

/** An unsigned integer of 64 bits, as the node takes it. */
export const uint64 = unsigned.pipe(z.bigint().max(2n ** 64n - 1n, 'expected an integer of 64 bits'))

/** A small integer: JSON number, or a decimal string as the node writes it. */
export const integer = z
  .union([z.int(), z.string().regex(INTEGER, 'expected an integer')])
  .transform((value) => Number(value))

/** A number: JSON number, or a decimal string as the node writes it. */
export const decimal = z
  .union([z.number(), z.string().regex(DECIMAL, 'expected a number')])
  .transform((value) => Number(value))

/** A number of things. */
export const count = integer.pipe(z.int().min(0))

/** A price, a rate: something that is never below zero. */
export const measure = decimal.pipe(z.number().min(0))

export const percent = decimal.pipe(z.number().min(0).max(100))

/** A name, a type, a state: an upstream chooses it, and it becomes a label. */
export const word = z.string().refine(isLabel, 'expected at most 256 bytes of text')

/** A flag: JSON boolean, or its name as a query string or a command line has it. */
export const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])

export const timestamp = count.describe('Unix time in seconds')

/** A time as nodes write it, such as 2026-11-22T00:39:39.019907Z; Unix time in seconds for us. */
export const isoTime = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text) / 1_000)

/** Go's zero time, 0001-01-01T00:00:00Z, in Unix seconds. */
const ZERO_TIME = -62_135_596_800

/** A time of something that may not have happened yet: nodes write Go's zero time then, and we read undefined. */
export const timeOrNever = isoTime.transform((seconds) => (seconds === ZERO_TIME ? undefined : seconds))

/**
 * A field that may be absent, or null, which we read as absent. A value that cannot be read is left out and counted, and
 * the record stays: no collector needs the field, or the one that reads it says how often it was missing.
 */
export function optional<T extends z.ZodType>(type: T) {
  return canBeLeftOut(telling(type))
}

/**
 * A field that may be absent, and whose absence tells a collector something: not locked, no end, nothing of the kind. A
 * value that cannot be read must not pass for that: the record is dropped, and an answer without records fails.
 */
export function telling<T extends z.ZodType>(type: T) {
  return type.nullish().transform((value) => value ?? undefined)
}

/** A list, which some services and nodes write as null when it is empty. */
export function listOf<T extends z.ZodType>(type: T) {
  return z
    .array(type)
    .nullable()
    .transform((list) => list ?? [])
}

/** Of a token: a byte, which whoever issues the token chooses. */
export const decimalPlaces = optional(integer.pipe(z.int().min(0).max(255))).describe('decimal places')

/** The end of a list: a missing token, or the empty one that live services send. */
export const nextPageToken = telling(z.string())
export const pageToken = z.string().optional().describe('token received in nextPageToken of a previous call')

/** Present in list answers of primary network chains (document 1, ChainInfo). */
export const chainInfo = telling(z.object({ chainName: telling(z.string()), network: telling(z.string()) }))

// Field types that operations share. Each accepts the wire form of the documents and that of live services, and gives ours.

import { z } from 'zod'
import { isLabel } from '../lib/label-text.ts'
import { markExpendable } from './left-out.ts'

const DIGITS = /^\d{1,78}$/
const QUANTITY = /^0x[\da-fA-F]{1,64}$/
const INTEGER = /^-?\d{1,15}$/
const DECIMAL = /^-?\d{1,78}(\.\d{1,78})?(e[-+]?\d{1,2})?$/i

/** An unsigned integer of up to 256 bits: decimal string or JSON number on the wire, bigint for us. */
export const unsigned = z
  .union([z.string().regex(DIGITS, 'expected a decimal integer'), z.int().nonnegative(), z.bigint().nonnegative()])
  .transform((value) => BigInt(value))

/** An integer in the hexadecimal form of EVM chains. */
export const quantity = z.string().regex(QUANTITY, 'expected a hexadecimal integer').transform(BigInt)

/** An unsigned integer of 64 bits, the most that a node accepts. */
export const uint64 = unsigned.pipe(z.bigint().max(2n ** 64n - 1n, 'expected an integer of 64 bits'))

/** A small integer: JSON number, or a decimal string as the node writes it. */
export const integer = z
  .union([z.int(), z.string().regex(INTEGER, 'expected an integer')])
  .transform((value) => Number(value))

/** A number: JSON number, or a decimal string as the node writes it. */
export const decimal = z
  .union([z.number(), z.string().regex(DECIMAL, 'expected a number')])
  .transform((value) => Number(value))

/** An integer from 0 on. */
export const count = integer.pipe(z.int().min(0))

/** A price or a rate: never below zero. */
export const measure = decimal.pipe(z.number().min(0))

export const percent = decimal.pipe(z.number().min(0).max(100))

/** A name, a type or a state that an upstream chooses and that becomes a label. */
export const word = z.string().refine(isLabel, 'expected at most 256 bytes of text')

/** A JSON boolean, or its name in a query string or on a command line. */
export const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])

/** The latest time that has a date. */
const LATEST = 8.64e12

export const timestamp = integer.pipe(z.int().min(0).max(LATEST)).describe('Unix time in seconds')

/** A time as nodes write it, such as 2026-11-22T00:39:39.019907Z; Unix time in seconds for us. */
export const isoTime = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text) / 1_000)

/** Go's zero time, 0001-01-01T00:00:00Z, in Unix seconds. */
const ZERO_TIME = -62_135_596_800

/** The time of an event that may not have happened yet: then nodes write Go's zero time, and we read undefined. */
export const timeOrNever = isoTime.transform((seconds) => (seconds === ZERO_TIME ? undefined : seconds))

/**
 * A field that may be absent, or null, which we read as absent. An unreadable value is left out and counted, and the
 * record stays: no collector needs the field, or its collector counts the records without it.
 */
export function optional<T extends z.ZodType>(type: T) {
  return markExpendable(orNone(type))
}

/**
 * A field whose absence means something to a collector, such as "not locked" or "no end". An unreadable value must not
 * pass for that: it costs the record, and an answer without records fails.
 */
export function orNone<T extends z.ZodType>(type: T) {
  // Not a transform: a compiled type makes an object for each value that one is called with.
  return type.nullish().overwrite((value) => value ?? undefined) as unknown as OrNone<T>
}

/** A key that may be missing on the wire, and never from what is read. */
type OrNone<T extends z.ZodType> = z.ZodType<z.output<T> | undefined, z.input<T> | null | undefined> & {
  _zod: { optin: 'optional' }
}

/** A list. Some services and nodes write null for an empty one. */
export function listOf<T extends z.ZodType>(type: T) {
  return z
    .array(type)
    .nullable()
    .transform((list) => list ?? [])
}

/** A byte, which the issuer of a token chooses. */
export const decimalPlaces = optional(integer.pipe(z.int().min(0).max(255))).describe('decimal places')

/** Missing at the end of a list; live services send an empty text there. */
export const nextPageToken = orNone(z.string())
export const pageToken = z.string().optional().describe('token received in nextPageToken of a previous call')

/** In lists of primary network chains (document 1, ChainInfo). */
export const chainInfo = orNone(z.object({ chainName: orNone(z.string()), network: orNone(z.string()) }))

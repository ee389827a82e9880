// Field types that the two documents share. Each accepts the documents' wire form and the live one, and gives ours.

import { z } from 'zod'

/** An unsigned integer of up to 256 bits: decimal string or JSON number on the wire, bigint for us. */
export const unsigned = z
  .union([
    z.string().regex(/^\d{1,78}$/, 'expected a decimal integer'),
    z.int().nonnegative(),
    z.bigint().nonnegative(),
  ])
  .transform((value) => BigInt(value))

/** A small integer: JSON number, or a decimal string as the node writes it. */
export const integer = z
  .union([z.int(), z.string().regex(/^-?\d{1,15}$/, 'expected an integer')])
  .transform((value) => Number(value))

/** A number: JSON number, or a decimal string as the node writes it. */
export const decimal = z
  .union([z.number(), z.string().regex(/^-?\d{1,78}(\.\d{1,78})?(e[-+]?\d{1,2})?$/i, 'expected a number')])
  .transform((value) => Number(value))

export const timestamp = integer.describe('Unix time in seconds')

/** Absent, or null, which we read as absent. */
export function optional<T extends z.ZodType>(type: T) {
  return type.nullish().transform((value) => value ?? undefined)
}

/** The end of a list: a missing token, or the empty one that live services send. */
export const nextPageToken = optional(z.string())
export const pageToken = z.string().optional().describe('token received in nextPageToken of a previous call')

/** Page sizes of the data service (document 1, Limits). */
const PAGE_SIZE = 'expected 1 to 100'
export const pageSize = integer
  .pipe(z.int().min(1, PAGE_SIZE).max(100, PAGE_SIZE))
  .default(10)
  .describe('items per page')

export const network = z.enum(['mainnet', 'fuji', 'testnet']).describe('the network; fuji and testnet are the same')

const someTime = integer.pipe(z.int().min(0, 'expected a Unix time from 0 on'))
export const sinceTimestamp = someTime.optional().describe('items after this Unix time')
export const untilTimestamp = someTime.optional().describe('items before this Unix time')

/** Present in list answers of primary network chains (document 1, ChainInfo). */
export const chainInfo = optional(z.object({ chainName: optional(z.string()), network: optional(z.string()) }))

// Schemas of what collectors remember. A record of another form, such as from another version, is ignored and counting
// restarts, so a record that passes must be safe to continue from.

import { z } from 'zod'

/**
 * An integer as text. Sums of 256-bit integers (78 digits) fit more than 10^220 times; a longer number cannot be shown
 * by a metric.
 */
export const decimalType = z.string().regex(/^-?\d{1,300}$/)

/** The same for what is never negative: sums, totals, times. */
export const sumType = z.string().regex(/^\d{1,300}$/)

/** Milliseconds since the epoch, within the range of dates. Seconds that are never shown as a date fit as well. */
export const momentType = z.number().min(0).max(8_640_000_000_000_000)

/** Seconds since the epoch, of which a date can be made. */
export const secondsType = z.number().min(0).max(8_640_000_000_000)

/** A block height. */
export const heightType = z.int().min(0)

/** A count or counter value, never negative. */
export const countType = z.number().min(0)

/** A word by which things are counted. Each object inherits some members, whose names no count may have. */
export const wordType = z.string().refine((word) => !(word in Object.prototype))

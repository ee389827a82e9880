// The forms of what collectors remember. A record of another form, such as one of another version, is left out, and
// counting begins anew: what is accepted here can be counted on with.

import { z } from 'zod'

/**
 * An integer, as text. One of 256 bits has 78 digits, and whoever counts adds them up: more than 10^220 of them fit, and what has
 * more digits is no number that a metric can show.
 */
export const decimalType = z.string().regex(/^-?\d{1,300}$/)

/** The same, of a sum that never falls below zero. */
export const sumType = z.string().regex(/^\d{1,300}$/)

/** Seconds or milliseconds since the epoch, as far as a date reaches. */
export const momentType = z.number().min(0).max(8_640_000_000_000_000)

/** Of a block. */
export const heightType = z.int().min(0)

/** A number of things, or what a counter shows: it never falls below zero. */
export const countType = z.number().min(0)

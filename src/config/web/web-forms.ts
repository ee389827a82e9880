// What keys of a web configuration have in common: when one that is left blank is not set.

import { z } from 'zod'

const blank = (value: unknown): unknown => (value === null || value === '' ? undefined : value)

export function unlessBlank<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess(blank, schema.optional()).optional()
}

/**
 * A key that keeps clients out. Nothing behind its colon is an error: so ends a file that was cut off. A blank text is
 * written on purpose, by templates.
 */
export function unlessBlankText<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (value === '' ? undefined : value), schema.optional()).optional()
}

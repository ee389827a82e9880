// What all keys of a web configuration have in common: a key that is left blank is not set.

import { z } from 'zod'

const blank = (value: unknown): unknown => (value === null || value === '' ? undefined : value)

export function unlessBlank<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess(blank, schema.optional()).optional()
}

/** The file as a whole: an empty one sets nothing. */
export function filled<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess((value) => value ?? {}, z.strictObject(shape))
}

/** The words that YAML 1.1 had for it, which Go still reads. */
const words: Readonly<Record<string, boolean>> = { yes: true, on: true, y: true, no: false, off: false, n: false }

export const yesOrNo = z.preprocess(
  (value) => (typeof value === 'string' ? (words[value.toLowerCase()] ?? value) : value),
  z.boolean('expected true or false'),
)

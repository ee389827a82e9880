// Values as other tools write them: YAML 1.1 knows more words for true and false, templates quote numbers, and an empty list or map
// may come as null. Taken where there is one meaning; else they stay as they are, and the schema refuses them.

import { z } from 'zod'
import { unwrap } from './keys.ts'

const spellings = (word: string) => [word, word[0]!.toUpperCase() + word.slice(1), word.toUpperCase()]

/** The words of YAML 1.1 for true and false. */
export const words: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'on', 'y'].flatMap(spellings).map((word) => [word, true] as const),
  ...['false', 'no', 'off', 'n'].flatMap(spellings).map((word) => [word, false] as const),
])

/** Of 010, YAML 1.1 makes eight. */
export const NUMBER = /^[-+]?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/

/** The two words of an enumeration that YAML 1.1 reads as true and false. */
export function switchOf(options: readonly unknown[]): [on: string, off: string] | undefined {
  const pairs = [['on', 'off'] as [string, string], ['yes', 'no'] as [string, string]]
  return pairs.find((pair) => pair.every((word) => options.includes(word)))
}

export function typed(value: unknown, schema: z.ZodType | undefined): unknown {
  const form = schema && unwrap(schema)
  const text = typeof value === 'string' ? value : undefined
  if (form instanceof z.ZodNumber) return text !== undefined && NUMBER.test(text) ? Number(text) : value
  const truth = text === undefined ? value : words.get(text)
  if (typeof truth !== 'boolean') return value
  if (form instanceof z.ZodBoolean) return truth
  const [on, off] = (form instanceof z.ZodEnum && switchOf(form.options)) || []
  return (truth ? on : off) ?? value
}

/** The empty list or map that leaving the key out stands for; undefined where that stands for something else. */
export function emptyOf(schema: z.core.$ZodType | undefined): [] | Record<string, never> | undefined {
  if (!(schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)) return undefined
  const form = unwrap(schema)
  if (form instanceof z.ZodArray) return []
  return form instanceof z.ZodObject || form instanceof z.ZodRecord ? {} : undefined
}

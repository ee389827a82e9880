// The keys of a map according to its schema, as operators write them.

import { z } from 'zod'

export interface Key {
  /** The key of the configuration that is set. */
  name: string
  schema: z.ZodType
  /** Written as `<name>_file`: the value is the path of a file that holds it. */
  file: boolean
}

/** A list has one schema for all of its items. */
const known = new WeakMap<z.ZodType, ReadonlyMap<string, Key> | undefined>()

/** By the key as written; undefined when the schema is not that of a map with known keys. */
export function keysOf(schema: z.ZodType): ReadonlyMap<string, Key> | undefined {
  if (!known.has(schema)) known.set(schema, readKeys(schema))
  return known.get(schema)
}

function readKeys(schema: z.ZodType): ReadonlyMap<string, Key> | undefined {
  const inner = unwrap(schema)
  if (!(inner instanceof z.ZodObject)) return undefined
  const shape = Object.entries<z.ZodType>(inner.shape)
  return new Map(
    shape.flatMap(([name, schema]): [string, Key][] => [
      [name, { name, schema, file: false }],
      ...(isSecret(schema) ? ([[`${name}_file`, { name, schema, file: true }]] satisfies [string, Key][]) : []),
    ]),
  )
}

export function itemOf(schema: z.ZodType): z.ZodType | undefined {
  const inner = unwrap(schema)
  return inner instanceof z.ZodArray ? (inner.element as z.ZodType) : undefined
}

/** The schema of the values of a map whose keys are names. */
export function valueOf(schema: z.ZodType): z.ZodType | undefined {
  const inner = unwrap(schema)
  return inner instanceof z.ZodRecord ? (inner.valueType as z.ZodType) : undefined
}

/** The schema of the value in the file, without defaults and transformations. */
export function unwrap(schema: z.ZodType): z.ZodType {
  // Defaults come before the inner schema in a pipe, transformations after it.
  if (schema instanceof z.ZodPreprocess) return unwrap(schema.out as z.ZodType)
  if (schema instanceof z.ZodPipe) return unwrap(schema.in as z.ZodType)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return unwrap(schema.unwrap() as z.ZodType)
  }
  return schema
}

function isSecret(schema: z.ZodType): boolean {
  if (schema.meta()?.['secret'] === true) return true
  return schema instanceof z.ZodOptional && isSecret(schema.unwrap() as z.ZodType)
}

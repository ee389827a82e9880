// Every key that a schema knows, as paths: names as an operator writes them, 0 for any entry of a list.

import type { z } from 'zod'
import { itemOf, keysOf } from '../../src/config/keys.ts'

export type KeyPath = readonly (string | 0)[]

export function keyPaths(schema: z.ZodType, at: KeyPath = []): KeyPath[] {
  const item = itemOf(schema)
  if (item) return keyPaths(item, [...at, 0])
  return [...(keysOf(schema) ?? [])].flatMap(([written, key]) => {
    const path = [...at, written]
    return key.file ? [path] : [path, ...keyPaths(key.schema, path)]
  })
}

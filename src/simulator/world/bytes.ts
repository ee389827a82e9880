// Bytes that depend on a name alone: the content of blocks, keys and signatures, which nobody here takes apart.

import { createHash } from 'node:crypto'

/** So many bytes as hex digits; the same name gives the same ones. */
export function bytesOf(name: string, length: number): string {
  return createHash('shake256', { outputLength: length }).update(name).digest('hex')
}

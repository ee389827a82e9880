// Bytes that depend on a name alone: the content of blocks, keys and signatures, which no code here parses.

import { createHash } from 'node:crypto'

/** Bytes as hex digits; the same name gives the same ones. */
export function bytesOf(name: string, length: number): string {
  return createHash('shake256', { outputLength: length }).update(name).digest('hex')
}

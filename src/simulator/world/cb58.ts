// Ids that a text leads to, with the checksums that the network writes.

import { hash } from 'node:crypto'
import { NODE_ID_PREFIX, toCb58 } from '../../lib/ids.ts'

/** The id of a node, of 20 bytes. */
export function nodeIdOf(text: string): string {
  return NODE_ID_PREFIX + toCb58(hash('sha256', text, 'buffer').subarray(0, 20))
}

/** An id of 32 bytes. */
export function idOf(text: string): string {
  return toCb58(hash('sha256', text, 'buffer'))
}

// Bytes as a node writes them.

import { createHash } from 'node:crypto'
import type { Dialect } from '../handler.ts'

/** Live nodes put a checksum at the end: the last four bytes of the digest. */
export function hexOf(digits: string, dialect: Dialect): string {
  const checksum = () => createHash('sha256').update(digits, 'hex').digest('hex').slice(-8)
  return `0x${digits}${dialect === 'live' ? checksum() : ''}`
}

// Small stable hashes: for phases, ids of panels and shards, never for security; and digests that do not show what they are of.

import { hash as hashOf } from 'node:crypto'

/** 64 bits of SHA-256, in hexadecimal. */
export const digest = (text: string): string => hashOf('sha256', text).slice(0, 16)

/** FNV-1a, 32 bits, over UTF-16 code units, then mixed so that texts which differ in the last letter end far apart. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

const WIDE = (1n << 64n) - 1n

/**
 * The bucket from 0 to `buckets` - 1 of a 64-bit key: jump consistent hash (Lamping and Veach, 2014). Adding the nth
 * bucket moves one key in n, and only to the new bucket.
 */
export function jumpHash(key: bigint, buckets: number): number {
  let bucket = 0
  for (let next = 0; next < buckets;) {
    bucket = next
    key = (key * 2_862_933_555_777_941_757n + 1n) & WIDE
    next = Math.floor((bucket + 1) * (2 ** 31 / Number((key >> 33n) + 1n)))
  }
  return bucket
}

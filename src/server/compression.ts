// Bodies as they are sent: joined, or compressed off the main thread. The whole exposition is made once for each state of it,
// however many scrapers ask.

import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { entryOf } from '../lib/entry.ts'

/** Exposition text shrinks as much at any level; higher ones only take longer. A larger table of zlib saves a sixth of it. */
const options = { level: constants.Z_BEST_SPEED + 1, memLevel: constants.Z_MAX_MEMLEVEL, chunkSize: 1_048_576 }
const compress = promisify<Buffer, typeof options, Buffer>(gzip)

/** Compressions of chosen metrics and of pages at a time: a client can ask for a new selection each time. */
const AT_ONCE = 2

export type Compression = ReturnType<typeof createCompression>

export function createCompression() {
  const joined = new WeakMap<readonly Uint8Array[], Buffer>()
  const compressed = new WeakMap<readonly Uint8Array[], Promise<Buffer>>()
  let inProgress = 0
  const plain = (pieces: readonly Uint8Array[]) => entryOf(joined, pieces, () => Buffer.concat(pieces))
  return {
    /** The whole exposition in one format. The snapshot gives the same array until something changes. */
    plain,
    gzip: (pieces: readonly Uint8Array[]) => entryOf(compressed, pieces, async () => compress(plain(pieces), options)),
    /** A part of it, or a page, compressed; undefined when too many are being compressed. */
    chosen(pieces: readonly Uint8Array[]): Promise<Buffer> | undefined {
      if (inProgress >= AT_ONCE) return undefined
      inProgress += 1
      return compress(Buffer.concat(pieces), options).finally(() => (inProgress -= 1))
    },
  }
}

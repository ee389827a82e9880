// Compressed bodies, made off the main thread: one for each body, however many scrapers ask for it.

import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { constants, createGzip as createStream } from 'node:zlib'

/** Exposition text shrinks to a tenth at any level; higher ones only take longer. */
const options = { level: constants.Z_BEST_SPEED + 2, chunkSize: 65_536 }

/** As a stream, which takes no copy of the pieces. */
const compress = async (pieces: readonly Uint8Array[]): Promise<Buffer> =>
  buffer(Readable.from(pieces, { objectMode: false }).pipe(createStream(options)))

/** Compressions of chosen metrics and of pages at a time: a client can ask for a new selection each time. */
const AT_ONCE = 2

export interface Gzip {
  /** The whole exposition in one format. The snapshot gives the same array until something changes. */
  whole(pieces: readonly Uint8Array[]): Promise<Buffer>
  /** A part of it, or a page; undefined when too many are being compressed. */
  chosen(pieces: readonly Uint8Array[]): Promise<Buffer> | undefined
}

export function createGzip(): Gzip {
  const whole = new WeakMap<readonly Uint8Array[], Promise<Buffer>>()
  let inProgress = 0
  return {
    whole(pieces) {
      const body = whole.get(pieces) ?? compress(pieces)
      whole.set(pieces, body)
      return body
    },
    chosen(pieces) {
      if (inProgress >= AT_ONCE) return undefined
      inProgress += 1
      return compress(pieces).finally(() => (inProgress -= 1))
    },
  }
}

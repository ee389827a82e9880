// Bodies as they are sent: joined, or compressed off the main thread. The whole exposition is made once for each state of it,
// however many scrapers ask.

import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { entryOf } from '../lib/entry.ts'

/** Exposition text shrinks as much at any level; higher ones only take longer. A larger table of zlib saves a sixth of it. */
const options = { level: constants.Z_BEST_SPEED + 1, memLevel: constants.Z_MAX_MEMLEVEL, chunkSize: 1_048_576 }

/** Piece by piece: joining all of them would block the main thread, and take as much memory again. */
function compress(pieces: readonly Uint8Array[]): Promise<Buffer> {
  return pipeline(Readable.from(chunksOf(pieces)), createGzip(options), buffer)
}

/** Each chunk is a job of another thread, so small pieces are joined until they have this size (bytes). */
const CHUNK = 1_048_576

function* chunksOf(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  let some: Uint8Array[] = []
  let size = 0
  for (const piece of pieces) {
    some.push(piece)
    size += piece.byteLength
    if (size < CHUNK) continue
    yield some.length === 1 ? piece : Buffer.concat(some)
    some = []
    size = 0
  }
  yield Buffer.concat(some)
}

/** Compressions of chosen metrics and of pages at a time: a client can ask for a new selection each time. */
const AT_ONCE = 2

export type Bodies = ReturnType<typeof createBodies>

export function createBodies() {
  const joined = new WeakMap<readonly Uint8Array[], Buffer>()
  const compressed = new WeakMap<readonly Uint8Array[], Promise<Buffer>>()
  let inProgress = 0
  return {
    /** The whole exposition in one format. The snapshot gives the same array until something changes. */
    plain: (pieces: readonly Uint8Array[]) => entryOf(joined, pieces, () => Buffer.concat(pieces)),
    gzip: (pieces: readonly Uint8Array[]) => entryOf(compressed, pieces, async () => compress(pieces)),
    /** A part of it, or a page, compressed; undefined when too many are being compressed. */
    chosen(pieces: readonly Uint8Array[]): Promise<Buffer> | undefined {
      if (inProgress >= AT_ONCE) return undefined
      inProgress += 1
      return compress(pieces).finally(() => (inProgress -= 1))
    },
  }
}

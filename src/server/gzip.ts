// Compressed bodies: made off the main thread, and once for all scrapers that get the same body.

import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'

/**
 * Exposition text shrinks to a tenth at any level; higher ones only take longer. The end of a piece is the end of a byte, so
 * that another piece can follow.
 */
const options = { level: constants.Z_BEST_SPEED + 2, chunkSize: 65_536, finishFlush: constants.Z_SYNC_FLUSH }

const deflate = promisify(deflateRaw)

/** By what it was made of. A piece that did not change is not compressed again. */
const deflated = new WeakMap<Uint8Array, Buffer>()

/** Without a name and a time, made on an unknown system (RFC 1952, section 2.3). */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** The last block, which is empty (RFC 1951, section 3.2.6). */
const LAST_BLOCK = Buffer.from([3, 0])

/** Piece by piece, one after the other: other work wants the threads of the platform too. */
async function compress(pieces: readonly Uint8Array[]): Promise<Uint8Array> {
  const parts: Buffer[] = [HEADER]
  let checksum = 0
  let length = 0
  for (const piece of pieces) {
    const part = deflated.get(piece) ?? (await deflate(piece, options))
    deflated.set(piece, part)
    parts.push(part)
    checksum = crc32(piece, checksum)
    length += piece.length
  }
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(checksum, 0)
  trailer.writeUInt32LE(length % 2 ** 32, 4)
  return Buffer.concat([...parts, LAST_BLOCK, trailer])
}

/** Choices of collectors whose compressed body is kept. A fleet of scrapers uses a handful. */
const KEPT = 8
/** Choices that are compressed at the same time: anybody can ask for ever new ones. */
const AT_ONCE = 2

export interface Gzip {
  /** The whole exposition in one format. */
  whole(pieces: readonly Uint8Array[]): Promise<Uint8Array>
  /** What some collectors publish, under a name for that choice; undefined when too many are being compressed. */
  chosen(choice: string, pieces: readonly Uint8Array[]): Promise<Uint8Array> | undefined
}

export function createGzip(): Gzip {
  // The snapshot gives the same array until something changes.
  const whole = new WeakMap<readonly Uint8Array[], Promise<Uint8Array>>()
  /** The one that was asked for last is the last one. */
  const chosen = new Map<string, { pieces: readonly Uint8Array[]; body: Promise<Uint8Array> }>()
  let underWay = 0

  return {
    whole(pieces) {
      const body = whole.get(pieces) ?? compress(pieces)
      whole.set(pieces, body)
      return body
    },
    chosen(choice, pieces) {
      const before = chosen.get(choice)
      chosen.delete(choice)
      if (before && isSame(before.pieces, pieces)) {
        chosen.set(choice, before)
        return before.body
      }
      if (underWay >= AT_ONCE) return undefined
      underWay += 1
      const body = compress(pieces).finally(() => (underWay -= 1))
      chosen.set(choice, { pieces, body })
      if (chosen.size > KEPT) chosen.delete(chosen.keys().next().value!)
      return body
    },
  }
}

/** Pieces are never changed, only replaced. */
function isSame(a: readonly Uint8Array[], b: readonly Uint8Array[]): boolean {
  return a.length === b.length && a.every((piece, at) => piece === b[at])
}

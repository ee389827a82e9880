// Compressed bodies: made off the main thread, of pieces that are compressed once for all scrapers.

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
/** Pieces that were asked for in a compressed body. */
const asked = new WeakSet<Uint8Array>()

async function deflatedOf(piece: Uint8Array): Promise<Buffer> {
  const part = deflated.get(piece) ?? (await deflate(piece, options))
  deflated.set(piece, part)
  return part
}

/** Whether somebody has asked for the piece in a compressed body. */
export const isAskedFor = (piece: Uint8Array): boolean => asked.has(piece)

/** The next compressed body with these pieces need not wait for them. */
export async function compressAhead(pieces: readonly Uint8Array[]): Promise<void> {
  for (const piece of pieces) await deflatedOf(piece)
}

/** The last checksum over each piece, by what it continued: as long as nothing before a piece changes, it is not read again. */
const checksums = new WeakMap<Uint8Array, { before: number; after: number }>()

function checksumOf(piece: Uint8Array, before: number): number {
  const known = checksums.get(piece)
  if (known?.before === before) return known.after
  const after = crc32(piece, before)
  checksums.set(piece, { before, after })
  return after
}

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
    asked.add(piece)
    parts.push(await deflatedOf(piece))
    checksum = checksumOf(piece, checksum)
    length += piece.length
  }
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(checksum, 0)
  trailer.writeUInt32LE(length % 2 ** 32, 4)
  return Buffer.concat([...parts, LAST_BLOCK, trailer])
}

/** Bodies that are chosen and compressed at the same time: anybody can ask for ever new ones. */
const AT_ONCE = 2

export interface Gzip {
  /** The whole exposition in one format. */
  whole(pieces: readonly Uint8Array[]): Promise<Uint8Array>
  /** A part of it, or a page; undefined when too many are being compressed. */
  chosen(pieces: readonly Uint8Array[]): Promise<Uint8Array> | undefined
}

export function createGzip(): Gzip {
  // The snapshot gives the same array until something changes.
  const whole = new WeakMap<readonly Uint8Array[], Promise<Uint8Array>>()
  let underWay = 0

  return {
    whole(pieces) {
      const body = whole.get(pieces) ?? compress(pieces)
      whole.set(pieces, body)
      return body
    },
    chosen(pieces) {
      if (underWay >= AT_ONCE) return undefined
      underWay += 1
      return compress(pieces).finally(() => (underWay -= 1))
    },
  }
}

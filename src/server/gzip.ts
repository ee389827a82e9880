// Compressed bodies: made off the main thread, of pieces that are compressed once for all scrapers.

import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import { continued } from './checksum.ts'

/**
 * Exposition text shrinks to a tenth at any level; higher ones only take longer. The end of a piece is the end of a byte, so
 * that another piece can follow.
 */
const options = { level: constants.Z_BEST_SPEED + 2, chunkSize: 65_536, finishFlush: constants.Z_SYNC_FLUSH }

const deflate = promisify(deflateRaw)

interface Part {
  compressed: Buffer
  /** Of the piece alone. */
  checksum: number
}

/** By what it was made of. A piece that did not change is not compressed again. */
const parts = new WeakMap<Uint8Array, Part>()
/** Pieces that were asked for in a compressed body. */
const asked = new WeakSet<Uint8Array>()

async function partOf(piece: Uint8Array): Promise<Part> {
  const part = parts.get(piece) ?? { compressed: await deflate(piece, options), checksum: crc32(piece) }
  parts.set(piece, part)
  return part
}

/** Whether somebody has asked for the piece in a compressed body. */
export const isAskedFor = (piece: Uint8Array): boolean => asked.has(piece)

/** The next compressed body with these pieces need not wait for them. */
export async function compressAhead(pieces: readonly Uint8Array[]): Promise<void> {
  for (const piece of pieces) await partOf(piece)
}

/** Without a name and a time, made on an unknown system (RFC 1952, section 2.3). */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** The last block, which is empty (RFC 1951, section 3.2.6). */
const LAST_BLOCK = Buffer.from([3, 0])

/** To copy a body of at most so many bytes costs less than to write it piece by piece. */
const ONE_WRITE = 4 * 1_048_576

/** Piece by piece, one after the other: other work wants the threads of the platform too. */
async function compress(pieces: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
  const body: Buffer[] = [HEADER]
  let checksum = 0
  let length = 0
  for (const piece of pieces) {
    asked.add(piece)
    const part = await partOf(piece)
    body.push(part.compressed)
    checksum = continued(checksum, part.checksum, piece.length)
    length += piece.length
  }
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(checksum, 0)
  trailer.writeUInt32LE(length % 2 ** 32, 4)
  body.push(LAST_BLOCK, trailer)
  const size = body.reduce((sum, { byteLength }) => sum + byteLength, 0)
  return size > ONE_WRITE ? body : [Buffer.concat(body, size)]
}

/** Bodies that are chosen and compressed at the same time: anybody can ask for ever new ones. */
const AT_ONCE = 2

export interface Gzip {
  /** The whole exposition in one format; the body in pieces. */
  whole(pieces: readonly Uint8Array[]): Promise<readonly Uint8Array[]>
  /** A part of it, or a page; undefined when too many are being compressed. */
  chosen(pieces: readonly Uint8Array[]): Promise<readonly Uint8Array[]> | undefined
}

export function createGzip(): Gzip {
  // The snapshot gives the same array until something changes.
  const whole = new WeakMap<readonly Uint8Array[], Promise<readonly Uint8Array[]>>()
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

// Compressed bodies: made off the main thread, and once for all scrapers that get the same body.

import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { constants, createGzip as createCompressor } from 'node:zlib'

/** Exposition text shrinks to a tenth at any level; higher ones only take longer. */
const options = { level: constants.Z_BEST_SPEED + 2, chunkSize: 65_536 }

/** Piece by piece: to join a large body first would hold up the thread that serves. */
async function compress(pieces: readonly Uint8Array[]): Promise<Uint8Array> {
  return buffer(Readable.from(pieces, { objectMode: false }).pipe(createCompressor(options)))
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

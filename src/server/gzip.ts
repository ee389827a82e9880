// Compressed bodies: made off the main thread, once for all scrapers that get the same body.

import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'

const compress = promisify(gzip)
/** Exposition text shrinks to a tenth at any level; higher ones only take longer. */
const options = { level: constants.Z_BEST_SPEED + 2 }

export type Gzip = (pieces: readonly Uint8Array[]) => Promise<Uint8Array>

/** The snapshot gives the same pieces until something changes, so they are the key to what was compressed before. */
export function createGzip(): Gzip {
  const done = new WeakMap<readonly Uint8Array[], Promise<Uint8Array>>()
  return (pieces) => {
    let body = done.get(pieces)
    if (!body) done.set(pieces, (body = compress(Buffer.concat(pieces), options)))
    return body
  }
}

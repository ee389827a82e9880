// Which exposition format a scraper gets, and bodies as they are sent: joined, or compressed in the thread pool. The whole exposition
// is made once for each state of it, however many scrapers ask.

import type { Format } from '../metrics/exposition.ts'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { entryOf } from '../lib/entry.ts'

export const contentTypes: Readonly<Record<Format, string>> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
}

/**
 * The acceptable format with the highest quality; text when nothing fits, as scrapers that ask for something else
 * still read text. OpenMetrics 0.0.1 and text 1.0.0 are not supported.
 */
export function negotiate(accept: string | undefined): Format {
  let best: { format: Format; quality: number } = { format: 'text', quality: 0 }
  for (const range of (accept ?? '').split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase().replaceAll('"', ''))
    const given = new Map(parameters.map((part) => part.split('=', 2) as [string, string]))
    const format = formatOf(type, given.get('version'))
    const quality = Number(given.get('q') ?? 1)
    if (format !== undefined && quality > best.quality) best = { format, quality }
  }
  return best.format
}

/** Whether the client takes gzip: named, or any, and not at quality 0. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  const codings = new Map(
    (acceptEncoding ?? '').split(',').map((coding) => {
      const [name = '', ...parameters] = coding.split(';').map((part) => part.trim().toLowerCase())
      const quality = parameters.find((part) => part.startsWith('q='))?.slice(2)
      return [name, quality === undefined ? 1 : Number(quality)]
    }),
  )
  return (codings.get('gzip') ?? codings.get('*') ?? 0) > 0
}

function formatOf(type: string, version: string | undefined): Format | undefined {
  if (type === 'application/openmetrics-text')
    return version === undefined || version === '1.0.0' ? 'openmetrics' : undefined
  if (type === 'text/plain') return version === undefined || version === '0.0.4' ? 'text' : undefined
  return type === '*/*' || type === 'text/*' ? 'text' : undefined
}

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

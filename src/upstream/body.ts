// Reads bodies within bounds on each of them and on all together.

import type { Readable } from 'node:stream'
import { BaseError } from '../errors.ts'
import { createBounds } from './bounds.ts'

/** Bytes of an error's body that are read: it explains itself in the first lines. */
const MAX_FAILURE = 64 * 1024
/** Bytes of all bodies in progress. */
const MAX_TOGETHER = 256 * 1024 * 1024

interface Reading {
  bytes: number
  giveUp: (reason: BaseError) => void
}

export function createBodyReader() {
  const readings = new Set<Reading>()
  let together = 0

  /** Gives up the largest body, as the least expected one. */
  function makeRoom(): void {
    const [largest] = [...readings].toSorted((a, b) => b.bytes - a.bytes)
    largest!.giveUp(new BaseError('too_large', `the answers being read are larger than ${MAX_TOGETHER} bytes together`))
  }

  async function read(body: Readable, most: number, beyond: 'refuse' | 'leave'): Promise<string> {
    const pieces: Buffer[] = []
    const check = createBounds(most)
    const reading: Reading = { bytes: 0, giveUp: (reason) => body.destroy(reason) }
    readings.add(reading)
    try {
      for await (const piece of body as AsyncIterable<Buffer>) {
        reading.bytes += piece.length
        together += piece.length
        pieces.push(piece)
        if (reading.bytes > most && beyond === 'leave') break
        if (reading.bytes > most) throw tooLarge(most)
        if (beyond === 'refuse') check(piece)
        if (together > MAX_TOGETHER) makeRoom()
      }
    } finally {
      readings.delete(reading)
      together -= reading.bytes
    }
    return new TextDecoder().decode(Buffer.concat(pieces, Math.min(reading.bytes, most)))
  }

  return {
    /** Returns the whole body as text. Throws too_large beyond `maxBytes`, and where bounds.ts refuses it. */
    async whole(body: Readable, announced: unknown, maxBytes: number): Promise<string> {
      if (Number(announced) > maxBytes) {
        leave(body)
        throw tooLarge(maxBytes)
      }
      return read(body, maxBytes, 'refuse')
    },
    /** Returns the start of an error's body; the rest is not read. */
    start: (body: Readable): Promise<string> => read(body, MAX_FAILURE, 'leave'),
  }
}

/** Closes the connection without reading the rest. */
export function leave(body: Readable): void {
  body.on('error', () => {})
  body.destroy()
}

function tooLarge(maxBytes: number): BaseError {
  return new BaseError('too_large', `the answer is larger than ${maxBytes} bytes`)
}

// Reading bytes from front to back, in the codec of the network: integers are big-endian, and a length of four bytes comes
// before what it measures.

import { BaseError } from '../errors.ts'
import { toCb58 } from '../lib/ids.ts'

const ID_BYTES = 32
/** The latest time that has a date. */
const LATEST = 8_640_000_000_000n

export interface Reader {
  uint16(): number
  uint32(): number
  uint64(): bigint
  /** Of 32 bytes, in cb58. */
  id(): string
  /** Unix seconds. */
  time(): number
  /** What its length comes before; no longer than this. */
  sized(most?: number): Buffer
  position(): number
  /** Throws if anything is left. */
  end(): void
}

/** Everything throws if too little is left. */
export function createReader(bytes: Buffer): Reader {
  let at = 0
  function take(length: number): Buffer {
    if (length > bytes.length - at) throw wrongForm('a block ends too early')
    at += length
    return bytes.subarray(at - length, at)
  }
  const uint32 = () => take(4).readUInt32BE()
  const uint64 = () => take(8).readBigUInt64BE()
  return {
    uint16: () => take(2).readUInt16BE(),
    uint32,
    uint64,
    id: () => toCb58(take(ID_BYTES)),
    time() {
      const seconds = uint64()
      if (seconds > LATEST) throw wrongForm('a block has a time that no date has')
      return Number(seconds)
    },
    sized(most = bytes.length) {
      const length = uint32()
      if (length > most) throw wrongForm('a part of a block is longer than nodes accept')
      return take(length)
    },
    position: () => at,
    end() {
      if (at < bytes.length) throw wrongForm('a block goes on after its end')
    },
  }
}

export function wrongForm(message: string): BaseError {
  return new BaseError('bad_response', message)
}

// Limits the cost of an answer before it is parsed: a few bytes of text can become many times as much memory.

import { BaseError } from '../errors.ts'

/** Bytes of an answer, unless its operation sets another limit. */
export const MAX_BYTES = 8 * 1024 * 1024
/** The documents nest nine levels at most. */
const MAX_DEPTH = 64
/** An answer may have a value in this many bytes on average: real answers have one in 30. */
const BYTES_PER_VALUE = 24

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
/** `[` and `{` differ in one bit, and so do `]` and `}`. */
const [OPENING, CLOSING, BRACKET] = [0x5b, 0x5d, ~0x20]

/**
 * Checks the pieces of a body in their order. Throws too_large for more levels or values than are plausible. Leaves bodies
 * that are not JSON to the parser.
 */
export function createBounds(maxBytes: number): (piece: Uint8Array) => void {
  const maxValues = Math.floor(maxBytes / BYTES_PER_VALUE)
  let seen: Seen = { depth: 0, values: 0, isInString: false, isEscaped: false }
  return (piece) => {
    seen = passed(piece, seen)
    if (seen.values > maxValues) {
      throw new BaseError('too_large', `the answer has more than ${maxValues} values`)
    }
  }
}

interface Seen {
  depth: number
  values: number
  isInString: boolean
  isEscaped: boolean
}

/** Uses local variables for speed: it handles every byte of every answer. */
function passed(piece: Uint8Array, before: Seen): Seen {
  let { depth, values, isInString } = before
  const { length } = piece
  let at = before.isEscaped ? 1 : 0
  while (at < length) {
    if (isInString) {
      const end = endOfString(piece, at)
      if (end >= length) return { depth, values, isInString, isEscaped: end > length }
      isInString = false
      at = end + 1
    }
    for (; at < length; at += 1) {
      const byte = piece[at]!
      if (byte === QUOTE) {
        isInString = true
        at += 1
        break
      }
      if ((byte & BRACKET) === OPENING) {
        depth += 1
        values += 1
        if (depth > MAX_DEPTH) throw new BaseError('too_large', `the answer nests deeper than ${MAX_DEPTH} levels`)
      } else if ((byte & BRACKET) === CLOSING) {
        depth -= 1
      } else if (byte === COMMA) {
        values += 1
      }
    }
  }
  return { depth, values, isInString, isEscaped: at > length }
}

/** Position of the closing quote; the piece's length if there is none, and more if the piece ends in a backslash. */
function endOfString(piece: Uint8Array, start: number): number {
  const { length } = piece
  let at = start
  for (; at < length; at += 1) {
    const byte = piece[at]!
    if (byte === QUOTE) return at
    if (byte === BACKSLASH) at += 1
  }
  return at
}

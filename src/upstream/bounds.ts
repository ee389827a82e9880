// What an answer may cost, judged before it is parsed: a few bytes of text can become many times as much memory.

import { BaseError } from '../errors.ts'

/** Bytes of an answer, unless its operation says otherwise: few pages come near. */
export const MAX_BYTES = 8 * 1024 * 1024
/** The documents nest nine levels at most. */
const MAX_DEPTH = 64
/** An answer of the greatest size may hold a value in so many bytes: records of real answers have one in 30. */
const BYTES_PER_VALUE = 24

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
/** `[` and `{` differ in one bit, and so do `]` and `}`. */
const [OPENING, CLOSING, BRACKET] = [0x5b, 0x5d, ~0x20]

/**
 * Reads the pieces of a body in their order. Throws too_large for more levels or more values than are plausible. A body that
 * is no JSON is left to the parser.
 */
export function createBounds(maxBytes: number): (piece: Uint8Array) => void {
  const maxValues = Math.floor(maxBytes / BYTES_PER_VALUE)
  let depth = 0
  let values = 0
  let isInString = false
  let isEscaped = false

  function refuseTooMany(): void {
    if (values > maxValues) throw new BaseError('too_large', `the answer has more than ${maxValues} values`)
  }

  /** Position behind the string that goes on at `start`, or the end of the piece. */
  function behindString(piece: Uint8Array, start: number): number {
    let at = start
    if (isEscaped && at < piece.length) {
      isEscaped = false
      at += 1
    }
    for (; at < piece.length; at += 1) {
      const byte = piece[at]
      if (byte === QUOTE) {
        isInString = false
        return at + 1
      }
      if (byte === BACKSLASH) at += 1
    }
    isEscaped = at > piece.length
    return piece.length
  }

  return (piece) => {
    let at = 0
    while (at < piece.length) {
      if (isInString) at = behindString(piece, at)
      // Structure up to the next string.
      for (; at < piece.length && !isInString; at += 1) {
        const byte = piece[at]!
        if (byte === QUOTE) {
          isInString = true
        } else if ((byte & BRACKET) === OPENING) {
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
    refuseTooMany()
  }
}

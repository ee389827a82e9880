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
 * Throws too_large for a text with more levels or more values than are plausible. One pass; a text that is no JSON is
 * left to the parser.
 */
export function checkBounds(text: string, maxBytes: number): void {
  const maxValues = Math.floor(maxBytes / BYTES_PER_VALUE)
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const isOpening = (code & BRACKET) === OPENING
    if (code === QUOTE) at = endOfString(text, at)
    else if (isOpening) depth += 1
    else if ((code & BRACKET) === CLOSING) depth -= 1
    if (isOpening || code === COMMA) values += 1
    if (depth > MAX_DEPTH) throw new BaseError('too_large', `the answer nests deeper than ${MAX_DEPTH} levels`)
    if (values > maxValues) throw new BaseError('too_large', `the answer has more than ${maxValues} values`)
  }
}

/** Position of the quote that ends the string, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at += 1
    else if (code === QUOTE) return at
  }
  return text.length
}

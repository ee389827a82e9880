// JSON in, without loss where an operation says that its bare integers pass 2^53.

import { BaseError } from '../errors.ts'
import { exactIntegers } from '../lib/raw-json.ts'
import { checkBounds, MAX_BYTES } from './bounds.ts'

/**
 * Throws too_large before it parses, or bad_response. With `exact`, integers beyond 2^53 arrive as bigint; it costs five
 * times as much.
 */
export function parseJson(text: string, integers: 'exact' | undefined, maxBytes = MAX_BYTES): unknown {
  checkBounds(text, maxBytes)
  try {
    return integers === 'exact' ? (JSON.parse(text, exactIntegers) as unknown) : (JSON.parse(text) as unknown)
  } catch {
    const kind = /^\s*</.test(text) ? 'HTML' : text.trim() === '' ? 'an empty body' : 'no valid JSON'
    throw new BaseError('bad_response', `expected JSON, got ${kind}`)
  }
}

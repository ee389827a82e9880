// Parses JSON, without loss where an operation has bare integers beyond 2^53.

import { BaseError } from '../errors.ts'
import { exactIntegers } from '../lib/raw-json.ts'

/** Throws bad_response. With `exact`, integers beyond 2^53 become bigint, which takes five times as long. */
export function parseJson(text: string, integers: 'exact' | undefined): unknown {
  try {
    return integers === 'exact' ? (JSON.parse(text, exactIntegers) as unknown) : (JSON.parse(text) as unknown)
  } catch {
    const kind = /^\s*</.test(text)
      ? 'a page (HTML), such as a challenge or a login'
      : text.trim() === ''
        ? 'an empty body'
        : 'no valid JSON'
    throw new BaseError('bad_response', `expected JSON, got ${kind}`)
  }
}

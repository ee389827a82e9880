// JSON in, without loss where an operation says that its bare integers pass 2^53.

import { BaseError } from '../errors.ts'

/** Throws bad_response. With `exact`, integers beyond 2^53 arrive as bigint; it costs five times as much. */
export function parseJson(text: string, integers: 'exact' | undefined): unknown {
  try {
    return integers === 'exact' ? (JSON.parse(text, exact) as unknown) : (JSON.parse(text) as unknown)
  } catch {
    const kind = /^\s*</.test(text) ? 'HTML' : text.trim() === '' ? 'an empty body' : 'no valid JSON'
    throw new BaseError('bad_response', `expected JSON, got ${kind}`)
  }
}

/** At most the digits of a 256-bit integer: reading a number of a million digits would stall the process. */
const integer = /^-?\d{1,78}$/

function exact(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  return typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && integer.test(source)
    ? BigInt(source)
    : value
}

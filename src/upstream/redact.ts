// Errors that can be logged: upstreams and proxies repeat the address they were asked at, keys included.

import { BaseError } from '../errors.ts'
import { masking } from '../lib/mask.ts'
import { addressOf, decoded } from './address.ts'
import type { Source } from './source.ts'

const LONGEST_DETAILS = 500

/** The same error without the secrets of its source. A cause is not kept: it holds addresses and pieces of answers. */
export function redacted(error: BaseError, source: Source): BaseError {
  // Most errors have nothing to hide: their own message says all.
  const hide = (text: string) => masking(secretsOf(source))(text)
  // An upstream's text becomes one line of the log; the stack of a defect stays readable.
  const shape = error.code === 'bug' ? String : oneLine
  // First hidden, then cut: half a key is too much as well.
  const details = error.details === undefined ? undefined : shape(hide(error.details)).slice(0, LONGEST_DETAILS)
  // Our own messages hold no secret, and a path such as /data must not tear words out of them.
  const message = error.code === 'bug' ? hide(error.message) : error.message
  return new BaseError(error.code, message, { details: details?.toWellFormed() })
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Everything of the address and of the headers that may be one. */
function secretsOf(source: Source): string[] {
  const { username, password, pathname, searchParams, search } = new URL(source.url.reveal())
  const { headers } = addressOf(source, { path: '', query: {} })
  const words = Object.values(headers).flatMap((value) => [value, ...value.split(' ')])
  const written = [
    username,
    password,
    ...pathname.split('/'),
    ...search.split(/[?&=]/),
    ...searchParams.values(),
    ...words,
  ]
  return written.flatMap((text) => [text, decoded(text)])
}

// Errors that can be logged: upstreams and proxies repeat the address they were asked at, keys included.

import { BaseError } from '../errors.ts'
import { masking } from '../lib/mask.ts'
import { addressOf, decoded } from './address.ts'
import type { Source } from './source.ts'

const LONGEST_DETAILS = 500
/** Secrets of earlier configurations that are still hidden: upstreams may repeat them later. */
const MOST_GONE = 200

export interface Redactor {
  /** From now on these are all upstreams of the configuration. */
  know(sources: readonly Source[]): void
  /**
   * The same error without the secrets of any of them, as one upstream may know what another is asked with. A cause is not kept:
   * it holds addresses and pieces of answers.
   */
  redacted(error: BaseError, source: Source): BaseError
}

export function createRedactor(): Redactor {
  /** Of the configuration, and then of those before. */
  let known = new Set<string>()
  /** Made when there is something to hide: most errors have their own message alone. */
  let mask: ((text: string) => string) | undefined

  /** `source` may be one that is not in the configuration, or no longer. */
  function maskFor(source: Source): (text: string) => string {
    const own = secretsOf(source).filter((one) => !known.has(one))
    // In one go: one secret may be a part of another.
    return own.length > 0 ? masking([...known, ...own]) : (mask ??= masking([...known]))
  }

  return {
    know(sources) {
      const next = new Set(sources.flatMap(secretsOf))
      known = new Set([...next, ...[...known].filter((one) => !next.has(one)).slice(0, MOST_GONE)])
      mask = undefined
    },
    redacted(error, source) {
      const hide = (text: string) => maskFor(source)(text)
      // An upstream's text becomes one line of the log; the stack of a defect stays readable.
      const shape = error.code === 'bug' ? String : oneLine
      // First hidden, then cut: half a key is too much as well.
      const details = error.details === undefined ? undefined : shape(hide(error.details)).slice(0, LONGEST_DETAILS)
      // Our own messages hold no secret, and a path such as /data must not tear words out of them.
      const message = error.code === 'bug' ? hide(error.message) : error.message
      return new BaseError(error.code, message, { details: details?.toWellFormed() })
    },
  }
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

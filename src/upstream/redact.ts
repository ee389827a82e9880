// Errors that can be logged: upstreams and proxies repeat the address they were asked at, including keys.

import { BaseError } from '../errors.ts'
import type { Secret } from '../lib/secret.ts'
import { addressOf, basicAuth, decoded } from './address.ts'
import type { Source } from './source.ts'

const LONGEST_DETAILS = 500
/** Of the name of a field. */
const LONGEST_NAME = 100
/** Secrets of earlier configurations that are still masked, as upstreams may repeat them later. */
const MOST_GONE = 2_000

export type Redactor = ReturnType<typeof createRedactor>

/** `own`: URLs that are secret although no source has them. */
export function createRedactor(own: readonly Secret[] = []) {
  const always = own.flatMap((url) => partsOf(url))
  /** Of the configuration, then of earlier ones. */
  let known = new Set<string>(always)
  /** Made when there is a text to mask: most errors have only our own words. */
  let mask: ((text: string) => string) | undefined

  function remember(secrets: readonly string[]): void {
    const own = new Set(secrets)
    known = new Set([...own, ...[...known].filter((one) => !own.has(one)).slice(0, MOST_GONE)])
    mask = undefined
  }

  function hide(text: string, source: Source): string {
    // The source may not be in the configuration, or not any more.
    const own = secretsOf(source)
    if (own.some((one) => !known.has(one))) remember([...own, ...known])
    mask ??= masking([...known])
    return mask(text)
  }

  /** A text of an upstream in one line, masked before it is cut: half a key is too much as well. */
  function shown(text: string, source: Source, most = LONGEST_NAME): string {
    return oneLine(hide(text, source)).slice(0, most).toWellFormed()
  }

  return {
    shown,
    /** Sets the upstreams of the configuration. */
    know: (sources: readonly Source[]) => remember([...always, ...sources.flatMap(secretsOf)]),
    /**
     * The same error without the secrets of any upstream, as one upstream may know those of another. Drops the cause, which
     * holds addresses and pieces of answers.
     */
    redacted(error: BaseError, source: Source): BaseError {
      const { message, details } = error
      const isDefect = error.code === 'bug'
      // The stack of a defect stays readable.
      const stack = () => hide(details!, source).slice(0, LONGEST_DETAILS).toWellFormed()
      const said = details === undefined ? undefined : isDefect ? stack() : shown(details, source, LONGEST_DETAILS)
      // Our own messages hold no secret, and a path such as /data must not tear words out of them. Where an upstream redirects to
      // is its own word.
      const isForeign = isDefect || message.startsWith('HTTP 3')
      return new BaseError(error.code, isForeign ? hide(message, source) : message, { details: said })
    },
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Every part of the address and of the headers that may be secret. */
function secretsOf(source: Source): string[] {
  const { proxy } = source
  const { headers } = addressOf(source, { path: '', query: {} })
  const words = Object.values(headers).flatMap((value) => [value, ...value.split(' ')])
  return [
    ...partsOf(source.url),
    ...(proxy && proxy !== 'none' ? partsOf(proxy) : []),
    ...words.flatMap((text) => [text, decoded(text)]),
  ]
}

function partsOf(secret: Secret): string[] {
  const url = new URL(secret.reveal())
  const { username, password, pathname, searchParams, search } = url
  const written = [
    username,
    password,
    ...pathname.split('/'),
    ...search.split(/[?&=]/),
    ...searchParams.values(),
    ...Object.values(basicAuth(url)).flatMap((value) => [value, ...value.split(' ')]),
  ]
  return written.flatMap((text) => [text, decoded(text)])
}

/** Shorter secrets are words such as `v1`, which would be torn out of every text. */
const SHORTEST = 4
/** Characters that are read: masking takes time linear in them. */
const READ = 64 * 1024
/** Part of a longer text that is shown: a secret may begin in the rest and end beyond what was read. */
const SHOWN = 3 / 4

/**
 * Returns a function that replaces each secret with `***`. A text in which one is percent-encoded in another way than usual is
 * shown decoded.
 */
export function masking(secrets: readonly string[]): (text: string) => string {
  const all = new Set(secrets.flatMap(readingsOf).filter((text) => text.replace(/[ +]/g, '').length >= SHORTEST))
  // The longest first, as one secret may be a part of another.
  const forms = [...all].toSorted((a, b) => b.length - a.length)
  return (text) => {
    const plain = replaced(text.slice(0, READ).toWellFormed(), forms)
    const readable = plain.replace(/(?:%[\da-f]{2})+/gi, decoded)
    const masked = replaced(readable, forms)
    const shown = masked === readable ? plain : masked
    return text.length > READ ? shown.slice(0, shown.length * SHOWN) : shown
  }
}

/** A form of the web writes a blank as a plus, and its reader turns a plus into a blank. JSON may write a slash as `\/`. */
function readingsOf(secret: string): string[] {
  const text = secret.toWellFormed()
  return [text, decoded(text), encodeURIComponent(text)].flatMap((one) => [
    one,
    one.replaceAll('+', ' '),
    one.replaceAll(' ', '+'),
    one.replaceAll('/', String.raw`\/`),
  ])
}

function replaced(text: string, forms: readonly string[]): string {
  let left = text
  for (const form of forms) if (left.includes(form)) left = left.replaceAll(form, '***')
  return left === text ? text : left.replaceAll(/(\*\*\*)+/g, '***')
}

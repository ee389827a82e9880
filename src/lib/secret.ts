// Values that never print. Keys travel in headers, paths and query strings, so a whole URL is a secret too.

import { inspect } from 'node:util'

export interface Secret {
  /** The value itself: only for the request that needs it. */
  reveal(): string
  /** What logs, errors and JSON show instead. */
  toString(): string
}

/** Prints as `***`. */
export function secret(value: string): Secret {
  return masked(value, '***')
}

/** Prints as host and port alone. Throws a TypeError when the text is no URL. */
export function secretUrl(value: string): Secret {
  const url = URL.parse(value)
  // The platform's own error holds the text.
  if (!url) throw new TypeError('expected a URL')
  return masked(value, url.host)
}

export function isSecret(value: unknown): value is Secret {
  return typeof value === 'object' && value !== null && 'reveal' in value
}

/** Prints as `shown`. */
export function masked(value: string, shown: string): Secret {
  const show = () => shown
  return Object.freeze({ reveal: () => value, toString: show, toJSON: show, [inspect.custom]: show })
}

/** Where a URL leads, without what identifies us there. */
export function placeOf(url: Secret): string {
  const { host, pathname } = new URL(url.reveal())
  return host + pathname
}

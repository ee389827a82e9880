// Who answered with a status, where that is not plain: a proxy, another address, or a page of something in front of the upstream.

import type { HttpAnswer } from './http.ts'

/** Statuses of pages that ask for a proof or a login, or that keep clients out. */
const OF_PAGES = new Set([401, 403, 429, 503])
/** What a name can have at most. */
const LONGEST_HOST = 253

/** Words behind a status; '' where it is the upstream's own. `url` is the address that was asked. */
export function wordsBehind(answer: Pick<HttpAnswer, 'status' | 'headers' | 'text' | 'proxy'>, url: string): string {
  const { status, headers } = answer
  const { location } = headers
  if (status >= 300 && status < 400 && typeof location === 'string') return ` to ${movedTo(location, url)}`
  const proxy = fromProxy(answer)
  if (proxy !== '' || !OF_PAGES.has(status) || !isPage(answer)) return proxy
  return ' with a page (HTML) instead of an answer, such as a challenge or a login'
}

/** Only the origin: the rest may be secret. Redirects are not followed, as the credentials are for the upstream. */
function movedTo(location: string, url: string): string {
  const target = URL.parse(location, url)
  if (!target || !/^https?:$/.test(target.protocol) || target.hostname.length > LONGEST_HOST) return 'another address'
  const { origin } = target
  return origin === new URL(url).origin
    ? 'another path of this server: correct the path'
    : `${origin}: give that address`
}

/** It asks for credentials with 407, and sets no limits with 429. */
function fromProxy({ status, proxy }: Pick<HttpAnswer, 'status' | 'proxy'>): string {
  return proxy && status !== 401 && status !== 429 ? ` from the proxy ${String(proxy)} or from behind it` : ''
}

/** Whether a page came instead of an answer. A server that wants credentials may send a page too, but says so in a header. */
export function isPage({ headers, text }: Pick<HttpAnswer, 'headers' | 'text'>): boolean {
  if (headers['www-authenticate'] !== undefined) return false
  return /^\s*</.test(text) || (text === '' && /\bhtml\b/.test(String(headers['content-type'])))
}

// The prefix of the server's paths, as a proxy or a shared host name wants it.

/** A path that no route has. */
const OUTSIDE = '/-/outside'
/** The root of the host redirects to the prefix. */
export const TO_PREFIX = '/-/to-prefix'

/** `prefix` has a slash in front and none behind; it may be empty. */
export function withoutPrefix(url: string, prefix: string): string {
  // A proxy may send the whole URL.
  const path = url.replace(/^https?:\/\/[^/?]*/, '')
  const rest = path.slice(prefix.length)
  if (path.startsWith(prefix) && /^([/?]|$)/.test(rest)) return rest.startsWith('/') ? rest : `/${rest}`
  return prefix !== '' && /^\/?(\?|$)/.test(path) ? TO_PREFIX : OUTSIDE
}

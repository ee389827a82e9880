// Where the server is seen by others: the prefix of its paths, and that of the links in its pages.

/** The routes below know no prefix: they see the path behind it. */
const OUTSIDE = '/-/outside'
/** Whoever asks for the root of the host is shown the way. */
export const TO_PREFIX = '/-/to-prefix'

/** `prefix` has a slash in front and none behind; it may be empty. */
export function withoutPrefix(url: string, prefix: string): string {
  if (prefix === '') return url
  // A proxy may ask for the whole URL.
  const path = url.replace(/^https?:\/\/[^/?]*/, '')
  const rest = path.slice(prefix.length)
  if (path.startsWith(prefix) && /^([/?]|$)/.test(rest)) return rest.startsWith('/') ? rest : `/${rest}`
  return /^\/?(\?|$)/.test(path) ? TO_PREFIX : OUTSIDE
}

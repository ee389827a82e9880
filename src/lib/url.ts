// URLs as people give them. A sign such as / in a password ends the user part early, and the beginning of the password would
// become the host or its port: such a URL is refused.

const PARTS = /^([a-z][a-z\d+.-]*:\/\/)?([^/?#\\]*)([^]*)$/i

/** Undefined when it is no http or https URL, or when a parser would find another host than a reader. */
export function readUrl(text: string): URL | undefined {
  const { scheme, authority, rest } = partsOf(text)
  if (!/^https?:/i.test(scheme) || /[@\\]/.test(rest) || /[\s\p{C}]/u.test(text)) return undefined
  const url = URL.parse(text)
  return url && hasHostAsWritten(authority.slice(authority.lastIndexOf('@') + 1), url) ? url : undefined
}

const ENCODE = 'percent-encode the signs of a user and a password: / is %2F, ? is %3F, # is %23, \\ is %5C, % is %25'

/** How to correct a URL that is refused, behind the words for what is expected; empty where these say enough. */
export function urlRemedy(text: string): string {
  const { authority, rest } = partsOf(text)
  if (rest.includes('@')) return `: ${ENCODE}; an @ behind the host is %40`
  const user = authority.slice(0, authority.lastIndexOf('@') + 1)
  return /[\s\p{C}]/u.test(user) || !isDecodable(user) ? `: ${ENCODE}` : ''
}

function partsOf(text: string) {
  const [, scheme = '', authority = '', rest = ''] = PARTS.exec(text) ?? []
  return { scheme, authority, rest }
}

/** URL parsers turn 0 into 0.0.0.0 and the path after three slashes into a host; reject such URLs. */
function hasHostAsWritten(written: string, { hostname }: URL): boolean {
  const host = /^(\[[^\]]*\]|[^:]+)/.exec(written)?.[1]
  if (host === undefined || host.startsWith('[')) return host !== undefined
  return /^[\w.-]+$/.test(host) ? hostname === host.toLowerCase() : /^[\p{L}\p{M}\p{N}.-]+$/u.test(host)
}

export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

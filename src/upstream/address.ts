// The URL of a request and the headers that authorize it.

import type { Wire } from '../operations/define.ts'
import type { Source } from './source.ts'

/** The configured URL may hold a path, a query (a key, at times) and a user: path and query stay, the user signs in. */
export function addressOf({ url: base, key }: Source, { path, query }: Pick<Wire, 'path' | 'query'>) {
  const url = new URL(base.reveal())
  const headers: Record<string, string> = { ...basicAuth(url) }
  if (key) headers[key.header] = key.value.reveal()
  url.username = url.password = ''
  url.pathname = url.pathname.replace(/\/+$/, '') + path
  // Changing the URL's own parameters would write all of it again for each of them.
  const search = new URLSearchParams(url.search)
  for (const [name, value] of Object.entries(query)) {
    for (const one of typeof value === 'string' ? [value] : value) search.append(name, one)
  }
  if (Object.keys(query).length > 0) url.search = String(search)
  return { url: url.href, headers }
}

/** The client library silently ignores user and password in a URL. */
export function basicAuth({ username, password }: URL): { authorization?: string } {
  if (username === '' && password === '') return {}
  const pair = `${decoded(username)}:${decoded(password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** Decodes percent-encoding; a text with a stray `%` stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

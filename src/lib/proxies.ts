// HTTP proxies, as a configuration or the environment names them.

import type { Secret } from './secret.ts'

/** Of the environment. */
export interface Proxies {
  /** Of http:// addresses, and of https:// ones without a proxy of their own. */
  http?: Secret
  https?: Secret
  /** Hosts that are reached without a proxy, as NO_PROXY lists them. */
  none: string
}

export const urlsOf = ({ http, https }: Proxies): Secret[] => [http, https].filter((url) => url !== undefined)

export const EXPECTED_PROXY = 'expected a URL such as http://proxy.example:3128'

/** With http:// in front where the scheme is missing, as curl reads it. Undefined when it is no such address. */
export function proxyUrl(text: string): string | undefined {
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  if (!url || !/^https?:$/.test(url.protocol) || `${url.pathname}${url.search}${url.hash}` !== '/') return undefined
  return isDecodable(url.username) && isDecodable(url.password) ? url.href : undefined
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

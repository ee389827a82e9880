// HTTP proxies, as a configuration or the environment names them.

import type { Secret } from './secret.ts'
import { isDecodable, readUrl } from './url.ts'

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
  const url = readUrl(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  if (!url || `${url.pathname}${url.search}${url.hash}` !== '/') return undefined
  return isDecodable(url.username) && isDecodable(url.password) ? url.href : undefined
}

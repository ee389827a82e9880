// The proxies that the environment names.

import { BaseError } from '../errors.ts'
import { EXPECTED_PROXY, type Proxies, proxyUrl } from '../lib/proxies.ts'
import { secretUrl } from '../lib/secret.ts'
import { urlRemedy } from '../lib/url.ts'

/** A name in lower case comes first, as in curl. Throws a BaseError with code `config`. */
export function proxiesOf(env: Readonly<Record<string, string | undefined>>): Proxies {
  const proxyOf = (scheme: 'http' | 'https') => {
    const name = [`${scheme}_proxy`, `${scheme}_proxy`.toUpperCase()].find((one) => env[one] !== undefined)
    const text = name === undefined ? '' : env[name]!.trim()
    if (text === '') return {}
    const url = proxyUrl(text)
    if (url === undefined) {
      const expected = `${EXPECTED_PROXY}${urlRemedy(text)}; or unset it`
      throw new BaseError('config', `environment variable ${name}: ${expected}`)
    }
    return { [scheme]: secretUrl(url) }
  }
  return { ...proxyOf('http'), ...proxyOf('https'), none: env['no_proxy'] ?? env['NO_PROXY'] ?? '' }
}

// Web configurations: whole ones with certificates, ones that are being rewritten, and the durations of Go in them.

import { type Arbitrary, array, constantFrom, nat, oneof, record, subarray, tuple } from 'fast-check'
import { webSourceOf } from '../../../src/commands/serve/watched-files.ts'
import { loadWebConfig, parseGoDuration, type WebConfig } from '../../../src/config/web/web-config.ts'
import { BaseError } from '../../../src/errors.ts'
import { createWebConfigReloader } from '../../../src/server/web-config-reload.ts'
import { pemFiles, pemPaths, readPem } from '../../support/pem-files.ts'
import { editedText, hostileValues, textEdits } from '../../support/fuzz/json.ts'
import { fuzzed } from '../../support/fuzz/fuzzed.ts'

const UNITS = ['ns', 'us', 'µs', 'μs', 'ms', 's', 'm', 'h', 'd', '']
const SANS = ['prometheus.example', 'prometheus', 'spiffe://a/b']
const HASH = '$2y$10$X0h1gDsPszWURQaxFh.zoubFi6DXncSjhoQNJgRrnGs7EsimhC7zG'
const WHOLE = `basic_auth_users:
  alice: ${HASH}
  prometheus: ${HASH}
rate_limit:
  interval: 1s
  burst: 20
http_server_config:
  headers:
    X-Frame-Options: deny
`

// web-matrix.test.ts cuts files with certificates at each byte, and puts them back in between.
fuzzed('a web configuration that is cut off, again and again', {
  inputs: array(nat(WHOLE.length), { minLength: 1, maxLength: 6 }),
  sizeOf: () => WHOLE.length,
  async run(cuts) {
    let text = WHOLE
    const web = createWebConfigReloader(
      webSourceOf('web.yml', { env: {}, readFile: () => text, lookAt: async () => text })!,
      {
        validate: () => {},
        reread: () => {},
      },
    )
    const first = web.current()
    for (const cut of cuts) {
      text = WHOLE.slice(0, cut)
      await web.look()
      promiseNoMore(first, web.current(), text)
    }
    return web.current().users.size
  },
})

function promiseNoMore(before: WebConfig, now: WebConfig, text: string): void {
  const isMore =
    (before.users.size > 0 && now.users.size === 0) ||
    [...now.users.keys()].some((user) => !before.users.has(user)) ||
    (before.rateLimit !== undefined && (now.rateLimit?.burst ?? Infinity) > before.rateLimit.burst)
  if (isMore) throw new Error(`more clients may connect after ${JSON.stringify(text)}`)
}

/** A right value for each key, and some that are right elsewhere. */
const tlsValues = {
  cert_file: pemPaths,
  key_file: pemPaths,
  client_ca_file: pemPaths,
  client_auth_type: ['NoClientCert', 'RequireClientCert', 'RequireAndVerifyClientCert', 'VerifyClientCertIfGiven'],
  client_allowed_sans: [SANS],
  min_version: ['TLS10', 'TLS12', 'TLS13'],
  max_version: ['TLS11', 'TLS13'],
  cipher_suites: [['TLS_AES_128_GCM_SHA256', 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'], []],
  prefer_server_cipher_suites: ['yes', 'OFF', false],
  curve_preferences: [['CurveP256', 'X25519'], []],
  cert: [pemFiles['ca.crt']],
  key: ['no key'],
  client_ca: [pemFiles['ca.crt']],
}
const rateValues = { interval: ['1s', '100ms', 5, 0, '0', '-1s', 1.5], burst: [20, 0, -1, '20'] }
const headerValues = {
  'X-Frame-Options': ['deny', 'DENY'],
  'X-XSS-Protection': ['1', 'a\nb'],
  'Strict-Transport-Security': ['max-age=1'],
}
const userValues = { alice: [HASH, HASH.replace('$10$', '$31$'), 'password'], 'a:b': [HASH], '': [HASH] }

/** Some of the keys of a map, most with a value of theirs. */
function someOf(values: Readonly<Record<string, readonly unknown[]>>): Arbitrary<unknown> {
  const pairs = Object.entries(values).map(([key, known]) =>
    tuple(
      constantFrom(key),
      oneof(
        { weight: 40, arbitrary: constantFrom(...known) },
        { weight: 1, arbitrary: constantFrom(null, '', ...hostileValues) },
      ),
    ),
  )
  return tuple(tuple(...pairs), subarray(Object.keys(values))).map(([all, chosen]) =>
    Object.fromEntries(all.filter(([key]) => chosen.includes(key))),
  )
}

const pair = { cert_file: 'server.crt', key_file: 'server.key' }
const tls = oneof(
  someOf(tlsValues),
  someOf(tlsValues).map((some) => ({ ...(some as object), ...pair, cert: undefined, key: undefined })),
)
const http = tuple(constantFrom(undefined, true, 'no', 'maybe'), someOf(headerValues)).map(([http2, headers]) => ({
  http2,
  headers,
}))
const maps = {
  tls_server_config: tls,
  http_server_config: http,
  basic_auth_users: someOf(userValues),
  rate_limit: someOf(rateValues),
}
const wholeFile = tuple(record(maps, { requiredKeys: [] }), textEdits, nat(3)).map(([value, some, how]) => {
  const text = JSON.stringify(value)
  return how === 0 ? editedText(text, some) : text
})

fuzzed<string>('a whole web configuration', {
  inputs: wholeFile,
  sizeOf: (text) => text.length * 100,
  run(text) {
    try {
      const { tls, users, rateLimit, headers } = loadWebConfig(text, { file: 'web.yml', env: {}, readFile: readPem })
      if (rateLimit && !(rateLimit.interval > 0 && rateLimit.burst >= 1))
        throw new Error('a limit that answers nothing')
      if ([...users.keys()].some((user) => user === '' || user.includes(':'))) throw new Error('a user without a name')
      if (tls && (!tls.cert.includes('BEGIN CERTIFICATE') || !tls.key.reveal().includes('PRIVATE KEY')))
        throw new Error('TLS without a certificate and its key')
      return {
        policy: tls?.policy,
        versions: [tls?.minVersion, tls?.maxVersion],
        headers,
        users: users.size,
        rateLimit,
      }
    } catch (thrown) {
      if (thrown instanceof BaseError && /PRIVATE KEY|\$2y\$/.test(thrown.message))
        throw new Error(`an error shows a secret: ${thrown.message}`, { cause: thrown })
      throw thrown
    }
  },
})

fuzzed<string | number>('durations of Go', {
  inputs: oneof(
    constantFrom<string | number>('0', 0, 1_000_000_000, 1.5, -1, 2 ** 60, ''),
    tuple(
      array(
        tuple(constantFrom('1', '1.5', '.5', '1.', '.', '007', '9'.repeat(30), '-1', '1e3'), constantFrom(...UNITS)),
        { maxLength: 4 },
      ),
      textEdits,
    ).map(([parts, some]) => editedText(parts.flat().join(''), some)),
  ),
  sizeOf: (given) => String(given).length,
  run(given) {
    const milliseconds = parseGoDuration(given)
    if (milliseconds === undefined) throw new BaseError('config', 'no duration')
    if (!(milliseconds >= 0) && typeof given === 'string') throw new Error(`${milliseconds} ms`)
    return milliseconds
  },
})

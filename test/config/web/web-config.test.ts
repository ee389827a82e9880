// The file of --web.config.file: what is wrong with it, with the line, and never a value.

import { expect, test } from 'vitest'
import { loadWebConfig, parseGoDuration } from '../../../src/config/web/web-config.ts'
import { pemFiles, readPem } from '../../support/pem-files.ts'

const load = (yaml: string) => loadWebConfig(yaml, { file: 'web.yml', env: {}, readFile: readPem })
const problemsIn = (yaml: string): string => {
  try {
    load(yaml)
  } catch (error) {
    return (error as Error).message
  }
  return 'none'
}

const TLS = 'tls_server_config:\n  cert_file: server.crt\n  key_file: server.key\n'
const HASH = '$2y$10$X0h1gDsPszWURQaxFh.zoubFi6DXncSjhoQNJgRrnGs7EsimhC7zG'

test('a file as the documentation of exporter-toolkit has it is read as it is', () => {
  const yaml = `
tls_server_config:
  cert_file: server.crt
  key_file: server.key
  client_auth_type: "RequireAndVerifyClientCert"
  client_ca_file: ca.crt
  client_allowed_sans:
    - prometheus.example
  min_version: TLS12
  max_version: TLS13
  cipher_suites:
    - TLS_AES_128_GCM_SHA256
    - TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256
  prefer_server_cipher_suites: true
  curve_preferences: [CurveP256, X25519]
http_server_config:
  http2: true
  headers:
    X-Frame-Options: deny
    Strict-Transport-Security: ""
basic_auth_users:
  alice: ${HASH}
  bob: ${HASH}
rate_limit:
  interval: 1s
  burst: 20
`
  const { tls, http2, headers, users, rateLimit } = load(yaml)
  expect({ http2, headers, rateLimit }).toEqual({
    http2: true,
    headers: { 'X-Frame-Options': 'deny' },
    rateLimit: { interval: 1_000, burst: 20 },
  })
  expect([...users].map(([user, hash]) => [user, hash.reveal()])).toEqual([
    ['alice', HASH],
    ['bob', HASH],
  ])
  expect({ ...tls, key: tls?.key.reveal() }).toEqual({
    cert: pemFiles['server.crt'],
    key: pemFiles['server.key'],
    clientCa: pemFiles['ca.crt'],
    policy: 'RequireAndVerifyClientCert',
    allowedSans: ['prometheus.example'],
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.3',
    cipherSuites: [
      'TLS_AES_128_GCM_SHA256',
      'TLS_AES_256_GCM_SHA384',
      'TLS_CHACHA20_POLY1305_SHA256',
      'ECDHE-RSA-AES128-GCM-SHA256',
    ],
    prefersOwnOrder: true,
    curves: ['P-256', 'X25519'],
    written: [
      'cert',
      'key',
      'client_ca',
      'client_auth_type',
      'client_allowed_sans',
      'min_version',
      'max_version',
      'cipher_suites',
      'prefer_server_cipher_suites',
      'curve_preferences',
    ],
  })
})

test.each([
  'basic_auth_users: {}\n',
  'rate_limit: {}\n',
  'rate_limit: { interval: 0, burst: 3 }\n',
  'rate_limit: { interval: "", burst: 3 }\n',
  'http_server_config: {}\n',
])('%j says that nothing is checked', (yaml) => {
  const { tls, http2, headers, users, rateLimit } = load(yaml)
  expect([tls, http2, headers, users.size, rateLimit]).toEqual([undefined, true, {}, 0, undefined])
})

test.each(['', '\n', '# nothing\n', '---\n', 'tls_server_config: {}\n', 'http_server_config:\n'])(
  '%j sets nothing, and is refused',
  (yaml) => {
    expect(problemsIn(yaml)).toMatch(/^web\.yml:1:1: the file (is empty: expected a map|sets nothing)/)
  },
)

test.each([
  ['tls_server_confg: {}\n', 'web.yml:1:1: tls_server_confg: unknown key; did you mean tls_server_config?'],
  [`${TLS}  cert_fil: x\n`, 'web.yml:4:3: tls_server_config.cert_fil: unknown key; did you mean cert_file?'],
  [`${TLS}http_server_config: { http3: true }\n`, /^web\.yml:4:23: http_server_config\.http3: unknown key; /],
  [
    'http_server_config:\n  headers: { Server: x }\n',
    /^web\.yml:2:14: http_server_config\.headers\.Server: unknown key; known here: Content-Security-Policy, X-Frame-Options, /,
  ],
  [
    'rate_limit: { interval: 1s, burst: 3, intervall: 1s }\n',
    'web.yml:1:39: rate_limit.intervall: unknown key; did you mean interval?',
  ],
  ['tls_server_config: { key_file: server.key }\n', /tls_server_config\.cert: is missing: expected cert or cert_file/],
  ['tls_server_config: { cert_file: server.crt }\n', /tls_server_config\.key: is missing: expected key or key_file/],
  ['tls_server_config: { client_ca_file: ca.crt }\n', /tls_server_config\.key: is missing/],
  ['tls_server_config: { client_auth_type: NoClientCert }\n', /tls_server_config\.cert: is missing/],
  [
    TLS.replace('server.crt', 'gone.crt'),
    'web.yml:2:14: tls_server_config.cert_file: the file cannot be read: there is no such file',
  ],
  [
    TLS.replace('server.crt', 'none.crt'),
    'web.yml:2:14: tls_server_config.cert_file: expected a certificate in PEM form; check what the file none.crt holds',
  ],
  [TLS.replace('server.crt', 'damaged.crt'), /cert_file: certificate 1 of 1 cannot be read: its PEM form is damaged/],
  [TLS.replace('server.key', 'none.crt'), /key_file: expected a private key in PEM form, without a password/],
  [
    TLS.replace('server.key', 'other.key'),
    'web.yml:3:13: tls_server_config.key_file: this key is not that of the certificate',
  ],
  [
    `${TLS}  cert: ${JSON.stringify(pemFiles['server.crt'])}\n`,
    /tls_server_config\.cert_file: cert is given as well: keep one of the two/,
  ],
  [
    `${TLS}  client_ca_file: ca.crt\n`,
    /client_ca_file: has no meaning without client_auth_type: RequireAndVerifyClientCert is the one that protects/,
  ],
  [
    `${TLS}  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: none.crt\n`,
    /client_ca_file: expected a certificate/,
  ],
  [TLS.replace('server.crt', 'empty.pem'), /cert_file: expected a certificate in PEM form/],
  [TLS.replace('server.key', 'empty.pem'), /key_file: expected a private key in PEM form/],
  [
    `${TLS}  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: empty.pem\n`,
    /client_ca_file: expected a certificate in PEM form/,
  ],
  [
    TLS.replace('server.crt', 'cut.crt'),
    /cert_file: is cut off: the block on line \d+ has no end; write the whole file again; check what the file cut.crt holds$/,
  ],
  [
    'basic_auth_users:\n',
    /^web\.yml:1:1: basic_auth_users: is empty: expected a map from users to bcrypt hashes, or {}/,
  ],
  ['rate_limit:\n', /^web\.yml:1:1: rate_limit: is empty: /],
  ['tls_server_config:\n', /^web\.yml:1:1: tls_server_config: is empty: /],
  [`${TLS}  client_auth_type:\n`, /client_auth_type: is empty: expected NoClientCert, /],
  [`${TLS}  client_ca_file:\n`, /client_ca_file: is empty: /],
  [`basic_auth_users: { "a:b": ${HASH} }\n`, /basic_auth_users\.a: expected a name without a colon/],
  [`basic_auth_users: { alice: ${HASH.replace('$10$', '$17$')} }\n`, /alice: expected a cost of at most 16: /],
  [`${TLS}  client_auth_type: Verify\n`, /client_auth_type: expected NoClientCert, RequestClientCert, /],
  [`${TLS}  client_allowed_sans: [a]\n`, /client_allowed_sans: needs a client_auth_type of /],
  [`${TLS}  client_auth_type: VerifyClientCertIfGiven\n  client_allowed_sans: [a]\n`, /client_allowed_sans: needs/],
  ['tls_server_config: { client_allowed_sans: [a] }\n', /client_allowed_sans: has no meaning without TLS/],
  [`${TLS}  min_version: TLS14\n`, /min_version: expected TLS10, TLS11, TLS12, TLS13/],
  [`${TLS}  min_version: TLS13\n  max_version: TLS12\n`, /max_version: is older than min_version/],
  [
    `${TLS}  cipher_suites: [TLS_RSA_WITH_RC4_128_SHA]\n`,
    /cipher_suites\[0\]: expected the name that Go has for a secure/,
  ],
  [`${TLS}  cipher_suites: [ECDHE-RSA-AES128-GCM-SHA256]\n`, /cipher_suites\[0\]: expected the name/],
  [`${TLS}  curve_preferences: [P-256]\n`, /curve_preferences\[0\]: expected CurveP256, CurveP384, CurveP521, X25519/],
  [`${TLS}  prefer_server_cipher_suites: maybe\n`, /prefer_server_cipher_suites: expected true or false/],
  ['http_server_config: { http2: 2 }\n', /http2: expected true or false/],
  ['http_server_config: { headers: { X-Frame-Options: allow } }\n', /X-Frame-Options: expected deny or sameorigin/],
  ['http_server_config: { headers: { X-Content-Type-Options: x } }\n', /X-Content-Type-Options: expected nosniff/],
  ['http_server_config: { headers: { X-XSS-Protection: "1\\r\\nx: y" } }\n', /X-XSS-Protection: expected one line/],
  ['basic_auth_users: { alice: marker-secret }\n', /^web\.yml:1:28: basic_auth_users\.alice: expected a bcrypt hash, /],
  [`basic_auth_users: { alice: ${HASH.replace('$10$', '$03$')} }\n`, /expected a bcrypt hash/],
  ['basic_auth_users: [alice]\n', /basic_auth_users: expected a map from users to bcrypt hashes/],
  ['rate_limit: { interval: 1 second, burst: 1 }\n', /interval: expected a duration such as 100ms/],
  ['rate_limit: { interval: -1s, burst: 1 }\n', /interval: expected a duration such as 100ms/],
  ['rate_limit: { burst: 3 }\n', /interval: is missing: expected a duration such as 100ms; 0 for no limit/],
  ['rate_limit: { interval: 1s }\n', /burst: is missing: expected 1 or more: with 0 no request is answered/],
  ['rate_limit: { interval: 1s, burst: 0 }\n', /burst: expected 1 or more/],
  ['rate_limit: { interval: 1s, burst: 1.5 }\n', /burst: expected a whole number/],
  ['- a\n', /^web\.yml:1:1: expected a map with the keys tls_server_config, http_server_config, /],
])('%j is refused with its place, and none of its secrets', (yaml, expected) => {
  const said = problemsIn(yaml)
  const hits = said.split('\n').filter((line) => (expected instanceof RegExp ? expected.test(line) : line === expected))
  expect(hits).toHaveLength(1)
  expect(said).not.toContain('marker-secret')
  expect(said).not.toContain('PRIVATE KEY')
})

test('all problems at once', () => {
  expect(problemsIn('rate_limit: { burts: 1 }\nbasic_auth_users: { a: b }\n').split('\n')).toHaveLength(2)
})

test.each([
  ['0', 0],
  ['100ms', 100],
  ['1.5s', 1_500],
  ['.5s', 500],
  ['1h30m', 5_400_000],
  ['250us', 0.25],
  ['1000000ns', 1],
  [2_000_000, 2],
  [1.5, undefined],
  ['', undefined],
  ['1', undefined],
  ['1d', undefined],
  ['-1s', undefined],
  ['1s ', undefined],
])('Go reads the duration %j as %j ms', (given, expected) => {
  expect(parseGoDuration(given)).toBe(expected)
})

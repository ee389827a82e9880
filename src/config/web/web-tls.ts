// The TLS part of a web configuration: server certificate and key, client certificates, versions and ciphers.

import { z } from 'zod'
import { secret } from '../../lib/secret.ts'
import type { YamlOptions } from '../load.ts'
import { whyUnreadable } from '../file/substitutes.ts'
import { isKeyOf, OTHER_KEY, readCertificates, readPrivateKey } from '../pem.ts'

// What keys of a web configuration have in common: when one that is left blank is not set.

const blank = (value: unknown): unknown => (value === null || value === '' ? undefined : value)

export function unlessBlank<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess(blank, schema.optional()).optional()
}

/**
 * A key that keeps clients out. Nothing behind its colon is an error: so ends a file that was cut off. A blank text is
 * written on purpose, by templates.
 */
export function unlessBlankText<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (value === '' ? undefined : value), schema.optional()).optional()
}

/** The suites up to TLS 1.2 that Go calls secure. Those of TLS 1.3 cannot be chosen, in Go neither. */
const cipherSuites = {
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: 'ECDHE-ECDSA-AES128-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA: 'ECDHE-ECDSA-AES256-SHA',
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA: 'ECDHE-RSA-AES128-SHA',
  TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA: 'ECDHE-RSA-AES256-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: 'ECDHE-ECDSA-AES128-GCM-SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: 'ECDHE-ECDSA-AES256-GCM-SHA384',
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: 'ECDHE-RSA-AES128-GCM-SHA256',
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: 'ECDHE-RSA-AES256-GCM-SHA384',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-RSA-CHACHA20-POLY1305',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-ECDSA-CHACHA20-POLY1305',
} as const

/** Always offered with TLS 1.3; a list may still name them. */
const tls13Suites = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'] as const

const curves = {
  CurveP256: 'P-256',
  CurveP384: 'P-384',
  CurveP521: 'P-521',
  X25519: 'X25519',
} as const

/** From the oldest on. */
const tlsVersions = { TLS10: 'TLSv1', TLS11: 'TLSv1.1', TLS12: 'TLSv1.2', TLS13: 'TLSv1.3' } as const

const clientAuthTypes = [
  'NoClientCert',
  'RequestClientCert',
  'RequireAnyClientCert',
  // The name that RequireAnyClientCert had before.
  'RequireClientCert',
  'VerifyClientCertIfGiven',
  'RequireAndVerifyClientCert',
] as const

type Name<Table> = keyof Table & string
const namesOf = <Table extends object>(table: Table) => Object.keys(table) as Name<Table>[]

const text = unlessBlankText(z.string('expected a certificate or a key in PEM form'))
const path = unlessBlankText(z.string('expected the path of a file'))
const version = z.enum(namesOf(tlsVersions), `expected ${namesOf(tlsVersions).join(', ')}`)
const suite = z.enum(
  [...namesOf(cipherSuites), ...tls13Suites],
  'expected the name that Go has for a secure cipher suite, such as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
)
const curve = z.enum(namesOf(curves), `expected ${namesOf(curves).join(', ')}`)
const listOf = <Item extends z.ZodType>(item: Item, what: string) =>
  unlessBlankText(z.array(item, `expected a list of ${what}`))

const keys = z.strictObject({
  cert: text,
  cert_file: path,
  key: text,
  key_file: path,
  client_ca: text,
  client_ca_file: path,
  client_auth_type: unlessBlankText(z.enum(clientAuthTypes, `expected ${clientAuthTypes.join(', ')}`)),
  client_allowed_sans: listOf(z.string('expected a name, an address or a URI'), 'names, addresses and URIs'),
  min_version: unlessBlankText(version),
  max_version: unlessBlankText(version),
  cipher_suites: listOf(suite, 'cipher suites'),
  prefer_server_cipher_suites: unlessBlank(z.boolean('expected true or false')),
  curve_preferences: listOf(curve, 'curves'),
})

type Keys = z.output<typeof keys>
/** Any of these switches TLS on. */
const switches = ['cert', 'cert_file', 'key', 'key_file', 'client_ca', 'client_ca_file', 'client_auth_type'] as const
export type TlsConfig = NonNullable<z.output<ReturnType<typeof tlsSchema>>>

/** Undefined when nothing of it switches TLS on. */
export function tlsSchema(readFile: YamlOptions['readFile']) {
  return keys.transform((given, { issues, value }) => {
    const problem = (key: keyof Keys, message: string) => {
      issues.push({ code: 'custom', path: [key], message, input: value })
    }
    const { client_auth_type, client_allowed_sans: allowedSans } = given
    if (switches.every((name) => given[name] === undefined)) {
      if (allowedSans) problem('client_allowed_sans', 'has no meaning without TLS: add cert_file and key_file')
      return undefined
    }
    const policy =
      client_auth_type === 'RequireClientCert' ? 'RequireAnyClientCert' : (client_auth_type ?? 'NoClientCert')
    const cert = readPem(given, 'cert', readFile, problem)
    const key = readPem(given, 'key', readFile, problem)
    const clientCa = readPem(given, 'client_ca', readFile, problem)
    if ((given.cert ?? given.cert_file) === undefined) problem('cert', 'expected cert or cert_file')
    if ((given.key ?? given.key_file) === undefined) problem('key', 'expected key or key_file')
    if (cert?.pem && key?.pem && !isKeyOf(key.pem, cert.pem)) problem(key.from, OTHER_KEY)
    if (clientCa && policy === 'NoClientCert') {
      problem(
        clientCa.from,
        'has no meaning without client_auth_type: RequireAndVerifyClientCert is the one that protects',
      )
    }
    if (allowedSans && policy !== 'RequireAnyClientCert' && policy !== 'RequireAndVerifyClientCert') {
      problem('client_allowed_sans', 'needs a client_auth_type of RequireAndVerifyClientCert or RequireAnyClientCert')
    }
    const { min_version: minVersion = 'TLS12', max_version: maxVersion = 'TLS13' } = given
    const order = namesOf(tlsVersions)
    if (order.indexOf(minVersion) > order.indexOf(maxVersion)) problem('max_version', 'is older than min_version')
    if (issues.length > 0 || !cert?.pem || !key?.pem) return z.NEVER
    return {
      /** The certificate and its chain, in PEM form. */
      cert: cert.pem,
      key: secret(key.pem),
      /** The authorities for client certificates; without them, those that the runtime trusts. */
      clientCa: clientCa?.pem,
      policy,
      allowedSans,
      minVersion: tlsVersions[minVersion],
      maxVersion: tlsVersions[maxVersion],
      /** Those that may be used, and the curves, by the names of OpenSSL. */
      cipherSuites: given.cipher_suites && allowed(given.cipher_suites),
      prefersOwnOrder: given.prefer_server_cipher_suites ?? true,
      curves: given.curve_preferences?.map((name) => curves[name]),
      /** The keys of the file that have a value: `client_ca_file` counts as `client_ca`. */
      written: namesOf(given).flatMap((name) => (given[name] === undefined ? [] : name.replace(/_file$/, ''))),
    }
  })
}

/** In their order, behind those of TLS 1.3, which no list switches off. */
function allowed(names: NonNullable<Keys['cipher_suites']>): string[] {
  const chosen = names.flatMap((name) =>
    name in cipherSuites ? [cipherSuites[name as Name<typeof cipherSuites>]] : [],
  )
  return [...tls13Suites, ...chosen]
}

interface Pem {
  /** Undefined when it is not as it should be. */
  pem: string | undefined
  /** The key of the configuration that gave it. */
  from: keyof Keys
}

type Report = (key: keyof Keys, message: string) => void

function readPem(
  given: Keys,
  name: 'cert' | 'key' | 'client_ca',
  readFile: YamlOptions['readFile'],
  problem: Report,
): Pem | undefined {
  const fromFile = `${name}_file` as const
  const [text, path] = [given[name], given[fromFile]]
  if (text !== undefined && path !== undefined) problem(fromFile, `${name} is given as well: keep one of the two`)
  const from = path === undefined ? name : fromFile
  try {
    const written = path === undefined ? text : readFile(path)
    if (written === undefined) return undefined
    const { pem, problems } = name === 'key' ? readPrivateKey(written) : readCertificates(written)
    const hint = path === undefined ? '' : `; check what the file ${path} holds`
    for (const message of problems) problem(from, `${message}${hint}`)
    return { pem: problems.length === 0 ? pem : undefined, from }
  } catch (thrown) {
    problem(from, `the file cannot be read: ${whyUnreadable(thrown)}`)
    return undefined
  }
}

// The web configuration file: who may connect and how. Its schema is that of Prometheus' exporter-toolkit, so that a file
// that was written for another exporter is read as it is.

import { z } from 'zod'
import { secret } from '../../lib/secret.ts'
import { loadYaml, type YamlOptions } from '../load.ts'
import { unlessBlank, unlessBlankText, tlsSchema } from './web-tls.ts'

/** A bcrypt hash: a salt of 22 characters and 31 of the hash itself. */
const HASH = /^\$2[abxy]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/
/** Each comparison at this cost takes three seconds of a core; each step above doubles them. */
const HIGHEST_COST = 16

const hash = z
  .string('expected a bcrypt hash in quotes')
  .regex(HASH, 'expected a bcrypt hash, such as htpasswd -nBC 10 prints behind the colon; a password is not one')
  .refine(
    (text) => !HASH.test(text) || Number(text.split('$')[2]) <= HIGHEST_COST,
    `expected a cost of at most ${HIGHEST_COST}: with a higher one a wrong password keeps everyone else waiting`,
  )
  .transform(secret)

/** Clients send user:password, so a user name cannot contain a colon. */
const user = z
  .string()
  .min(1, 'expected the name of a user')
  .regex(/^[^:]*$/, 'expected a name without a colon: no client can send it')

/** The extra headers that an answer may have; names are case-sensitive. */
const headerValue = z
  .string('expected the value of the header as a text')
  .regex(/^[\t\x20-\x7e]*$/, 'expected one line of printable characters')

const headers = z.strictObject({
  'Content-Security-Policy': unlessBlank(headerValue),
  'X-Frame-Options': unlessBlank(z.enum(['deny', 'sameorigin'], 'expected deny or sameorigin')),
  'X-Content-Type-Options': unlessBlank(z.enum(['nosniff'], 'expected nosniff')),
  'X-XSS-Protection': unlessBlank(headerValue),
  'Strict-Transport-Security': unlessBlank(headerValue),
})

const rateLimit = z
  .strictObject({
    interval: unlessBlank(
      z
        .union([z.string(), z.number()], 'expected a duration such as 100ms')
        .transform((given) => parseGoDuration(given) ?? Number.NaN)
        .refine((milliseconds) => milliseconds >= 0, 'expected a duration such as 100ms'),
    ),
    burst: unlessBlank(z.int('expected a whole number').min(0, 'expected a whole number').max(1_000_000_000)),
  })
  .superRefine((given, context) => {
    const { interval = 0, burst = 0 } = given
    const refuse = (key: string, message: string) => context.addIssue({ code: 'custom', path: [key], message })
    if (burst > 0 && !('interval' in given)) refuse('interval', 'expected a duration such as 100ms; 0 for no limit')
    if (interval > 0 && burst === 0) refuse('burst', 'expected 1 or more: with 0 no request is answered')
  })

const webSchema = (readFile: YamlOptions['readFile']) =>
  z
    .strictObject({
      tls_server_config: unlessBlankText(tlsSchema(readFile)),
      http_server_config: unlessBlank(
        z.strictObject({ http2: unlessBlank(z.boolean('expected true or false')), headers: unlessBlank(headers) }),
      ),
      basic_auth_users: unlessBlankText(
        z.record(user, hash, 'expected a map from users to bcrypt hashes, or {} for no password'),
      ),
      rate_limit: unlessBlankText(rateLimit),
    })
    .refine((given) => Object.values(given).some((one) => one !== undefined), SETS_NOTHING)

const SETS_NOTHING =
  'the file sets nothing: was it cut off? For plain HTTP without a password write basic_auth_users: {}, or leave out --web.config.file'

export type WebConfig = ReturnType<typeof loadWebConfig>

/** Throws a BaseError with code `config` whose message holds one line per problem and no value of the file. */
export function loadWebConfig(yaml: string, options: YamlOptions) {
  const { value } = loadYaml(yaml, webSchema(options.readFile), options)
  const { tls_server_config, http_server_config, basic_auth_users, rate_limit } = value
  const { http2 = true, headers: given = {} } = http_server_config ?? {}
  const { interval = 0, burst = 0 } = rate_limit ?? {}
  return {
    /** Without it the listeners speak plain HTTP. */
    tls: tls_server_config,
    /** Only over TLS. */
    http2,
    headers: Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : []))),
    /** The bcrypt hash of the password, by user; without users, no password is required. */
    users: new Map(Object.entries(basic_auth_users ?? {})),
    rateLimit: interval > 0 ? { interval, burst } : undefined,
    /** The keys of the file that have a value, of those that keep clients out or lie in a map that does. */
    written: new Set([
      ...(basic_auth_users ? ['basic_auth_users'] : []),
      ...(rate_limit ? ['rate_limit'] : []),
      ...(tls_server_config?.written ?? []).map((key) => `tls_server_config.${key}`),
    ]),
  }
}

const units: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
}
const part = String.raw`(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)`
const whole = new RegExp(`^(${part})+$`)

/** Milliseconds, or undefined when it is no duration. A number without a unit counts nanoseconds. */
export function parseGoDuration(given: string | number): number | undefined {
  if (typeof given === 'number') return Number.isInteger(given) ? given * units['ns']! : undefined
  if (given === '0') return 0
  if (!whole.test(given)) return undefined
  const parts = given.matchAll(new RegExp(part, 'g'))
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * units[unit!]!, 0)
}

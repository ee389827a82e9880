// The web configuration file: who may connect and how. Its schema is that of Prometheus' exporter-toolkit, so that a file
// that was written for another exporter is read as it is.

import { z } from 'zod'
import type { Secret } from '../lib/secret.ts'
import { secret } from '../lib/secret.ts'
import { loadYaml, type YamlOptions } from './load.ts'
import { parseGoDuration } from './go-duration.ts'
import { filled, unlessBlank, yesOrNo } from './web-forms.ts'
import { tlsSchema } from './web-tls.ts'

/** A bcrypt hash: a salt of 22 characters and 31 of the hash itself. */
const HASH = /^\$2[abxy]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/

const hash = z
  .string('expected a bcrypt hash in quotes')
  .regex(HASH, 'expected a bcrypt hash, such as htpasswd -nBC 10 prints behind the colon; a password is not one')
  .transform((text) => secret(text))

/** What an answer may carry besides its own headers; the names are compared letter by letter. */
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
  .superRefine(({ interval = 0, burst = 0 }, context) => {
    if (interval === 0 || burst > 0) return
    context.addIssue({ code: 'custom', path: ['burst'], message: 'expected 1 or more: with 0 no request is answered' })
  })

const webSchema = (readFile: YamlOptions['readFile']) =>
  filled({
    tls_server_config: unlessBlank(tlsSchema(readFile)),
    http_server_config: unlessBlank(z.strictObject({ http2: unlessBlank(yesOrNo), headers: unlessBlank(headers) })),
    basic_auth_users: unlessBlank(
      z.record(z.string().min(1, 'expected the name of a user'), hash, 'expected a map from users to bcrypt hashes'),
    ),
    rate_limit: unlessBlank(rateLimit),
  })

export interface WebConfig {
  /** Without it the listeners speak plain HTTP. */
  tls: z.output<ReturnType<typeof tlsSchema>>
  /** Only over TLS. */
  http2: boolean
  headers: Readonly<Record<string, string>>
  /** By user, the bcrypt hash of the password; nobody has to say who they are if there are none. */
  users: ReadonlyMap<string, Secret>
  rateLimit: { interval: number; burst: number } | undefined
}

/** Throws a BaseError with code `config` whose message holds one line per problem and no value of the file. */
export function loadWebConfig(yaml: string, options: YamlOptions): WebConfig {
  const { tls_server_config, http_server_config, basic_auth_users, rate_limit } = loadYaml(
    yaml,
    webSchema(options.readFile),
    options,
  )
  const { http2 = true, headers: given = {} } = http_server_config ?? {}
  const { interval = 0, burst = 0 } = rate_limit ?? {}
  return {
    tls: tls_server_config,
    http2,
    headers: Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : []))),
    users: new Map(Object.entries(basic_auth_users ?? {})),
    rateLimit: interval > 0 ? { interval, burst } : undefined,
  }
}

// The forms of configuration values. Every message says what is expected, in operators' words; the loader adds the actual kind
// and the place. Patterns and limits are schema checks, not code, so that editors get them.

import { z } from 'zod'
import { calendarOf, CRON_PATTERN, isTimezone } from '../lib/calendar.ts'
import { parseDuration } from '../lib/duration.ts'
import { EXPECTED_PROXY, proxyUrl } from '../lib/proxies.ts'
import { readAddress, readBlsKey, readEvmAddress, readId, readNodeId } from '../lib/ids.ts'
import { bareAddress } from '../lib/primary-network.ts'
import { secret, secretUrl } from '../lib/secret.ts'
import { readUrl, urlRemedy } from '../lib/url.ts'
import { readTime, TIME_WITH_OFFSET } from './times.ts'
import { EXPECTED_CERTIFICATE, EXPECTED_KEY, readCertificates, readPrivateKey } from './pem.ts'

const BASE58 = '1-9A-HJ-NP-Za-km-z'
const SHORTEST = 1_000
/** Within the limit of timers, which is 24 days. */
const LONGEST = 7 * 86_400_000

export function text(form: RegExp, expected: string, mismatch: FormError = expected) {
  const error = ({ input }: { input?: unknown }) => {
    const plain = typeof input === 'number' || typeof input === 'boolean'
    return plain && form.test(String(input)) ? `${expected}, in quotes` : expected
  }
  return z.string({ error }).regex(form, { error: mismatch })
}

type FormError = string | ((issue: { input?: unknown }) => string)

const NAME = 'expected a name of letters, digits, dots, dashes and underscores'
export const name = text(/^[a-zA-Z0-9][\w.-]*$/, NAME).max(128, `${NAME}, at most 128`)

/** Words for people, on one line; without characters that hide or reverse the text around them. */
export function line(example: string) {
  const expected = `expected one line of at most 100 printable characters, such as ${example}`
  return text(/^[^\s\p{C}]([^\p{C}]*[^\s\p{C}])?$/u, expected).max(100, expected)
}

/** An id or an address: editors check its pattern, and `read` checks the rest, such as the checksum. */
function checked(form: RegExp, expected: string, read: (text: string) => { wrong?: string | undefined }) {
  const why = (given: string) => {
    const { wrong } = read(given)
    return wrong === undefined ? undefined : `${expected}: ${wrong}`
  }
  const error = ({ input }: { input?: unknown }) => why(String(input)) ?? expected
  return text(form, expected, error).superRefine((given, context) => {
    // A wrong pattern has already been reported.
    const message = form.test(given) ? why(given) : undefined
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
}

const ID = `[${BASE58}]{30,60}`

export const nodeId = checked(
  new RegExp(`^NodeID-[${BASE58}]{20,40}$`),
  'expected a node id such as NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
  readNodeId,
)

const idNamed = (what: string) =>
  checked(new RegExp(`^${ID}$`), `expected ${what}, which has about 50 letters and digits`, readId)

export const subnetId = idNamed('a subnet id')
export const transactionId = idNamed('the id of a transaction')

export const chainId = checked(
  new RegExp(`^([pxc]-chain|${ID})$`),
  'expected p-chain, x-chain, c-chain or a blockchain id, which has about 50 letters and digits',
  (given) => (/^[pxc]-chain$/.test(given) ? {} : readId(given)),
)

const PRIMARY = '([PXC]-)?[a-z0-9]+1[a-z0-9]{38}'
const EVM = '0x[0-9a-fA-F]{40}'

/** Without quotes YAML reads 0x... as a number, and its digits are lost. */
export const walletAddress = checked(
  new RegExp(`^${PRIMARY}$|^${EVM}$`),
  'expected an address such as P-avax1..., or "0x..." in quotes',
  (given) => (given.startsWith('0x') ? readEvmAddress(given) : readAddress(given)),
)

/** As a node writes it. */
export const ownerAddress = checked(
  new RegExp(`^${PRIMARY}$`),
  'expected an address of the P-Chain such as P-avax1...',
  readAddress,
).transform((address) => `P-${bareAddress(address)}`)

export const evmAddress = checked(
  new RegExp(`^${EVM}$`),
  'expected an address of an EVM chain such as "0x..." in quotes',
  readEvmAddress,
)

export const TOKENS = 'expected tokens by their addresses, such as { "0x...": USDC }'
export const tokenAddress = checked(new RegExp(`^${EVM}$`), TOKENS, readEvmAddress)

export const chainReference = checked(
  new RegExp(`^([1-9]\\d{0,15}|${ID})$`),
  'expected a blockchain id, or the number of an EVM chain such as "43114"',
  (given) => (/^\d+$/.test(given) ? {} : readId(given)),
)

const HEXADECIMAL = 'expected pairs of hexadecimal digits, with or without 0x'
export const hexadecimal = text(/^(0x)?([0-9a-fA-F]{2})+$/, HEXADECIMAL).max(
  131_072,
  `${HEXADECIMAL}, of 64 KB at most`,
)

export const blsKey = checked(
  /^0x[0-9a-fA-F]{96}$/,
  'expected a BLS public key of 48 bytes such as "0x..." in quotes',
  readBlsKey,
).transform((key) => key.toLowerCase())

/** What the data service knows (document 1, Shared parameters). */
export const currency = z.enum(
  ['usd', 'eur', 'aud', 'cad', 'chf', 'clp', 'cny', 'czk', 'dkk', 'gbp', 'hkd', 'huf', 'jpy', 'nzd'],
  'expected usd, eur, aud, cad, chf, clp, cny, czk, dkk, gbp, hkd, huf, jpy or nzd',
)

const SHARE = 'expected a number from 0 to 1, such as 0.02'
export const share = z.number(SHARE).min(0, SHARE).max(1, SHARE)

const RATIO = 'expected a number above 0 and at most 1, such as 0.9'
export const ratio = z.number(RATIO).gt(0, RATIO).max(1, RATIO)

const DURATION = 'expected a duration such as 30s, 5m or 1h30m'

/** Milliseconds. */
export function durationUpTo(longest: number, said: string) {
  return text(/^(\d+(d|h|ms?|s))+$/, DURATION).transform((text, context) => {
    const parsed = parseDuration(text)
    if (parsed !== undefined && parsed >= SHORTEST && parsed <= longest) return parsed
    const tooMuch = `expected a duration of at ${(parsed ?? 0) < SHORTEST ? 'least 1s' : `most ${said}`}`
    context.addIssue({ code: 'custom', message: parsed === undefined ? DURATION : tooMuch })
    return z.NEVER
  })
}

export const duration = durationUpTo(LONGEST, '7d')

const SCHEDULE = 'expected a cron pattern of five fields such as "0 22 * * TUE#2" that matches at some time'
export const schedule = text(CRON_PATTERN, SCHEDULE).refine(
  (pattern) => calendarOf(pattern, 'UTC') !== undefined,
  SCHEDULE,
)

const TIMEZONE = 'expected an IANA time zone such as Europe/Berlin'
export const timezone = text(/^[A-Z][\w+-]*(\/[\w+-]+)*$/, TIMEZONE).refine(isTimezone, TIMEZONE)

export function wholeNumber(low: number, high: number, example: number) {
  const expected = `expected a whole number from ${low} to ${high}, such as ${example}`
  return z.int(expected).min(low, expected).max(high, expected)
}

/** `most` is above all plausible values, so messages mention it only if it is exceeded. */
export function wholeNumberFrom(low: number, most: number, example: number) {
  const error = expectation(`expected a whole number from ${low} on, such as ${example}`, most)
  return z.int({ error }).min(low, { error }).max(most, { error })
}

export function amount(low: number, most: number, example: number) {
  const error = expectation(`expected a number from ${low} on, such as ${example}`, most)
  return z.number({ error }).min(low, { error }).max(most, { error })
}

function expectation(expected: string, most: number) {
  return ({ input }: { input?: unknown }) =>
    typeof input === 'number' && input > most ? `expected a number of at most ${most}` : expected
}

/** More than any token is issued in. */
export const MOST_TOKENS = 1_000_000_000_000_000
/** Of a price or an amount of gas. */
export const MOST_UNITS = 1_000_000_000_000_000

const TIME = 'expected a time such as 2026-07-28T15:00:00Z'

/** With an offset, as it is written. */
export const timeText = text(TIME_WITH_OFFSET, TIME, ({ input }) =>
  readTime(String(input)) ? `${TIME}, with Z or an offset such as +02:00` : TIME,
)

/** Unix seconds. */
export const time = timeText.transform((text, context) => {
  const read = readTime(text)
  if (read) return Date.parse(`${read.local}${read.offset}`) / 1_000
  context.addIssue({ code: 'custom', message: TIME })
  return z.NEVER
})

const withRemedy =
  (expected: string) =>
  ({ input }: { input?: unknown }) =>
    `${expected}${urlRemedy(String(input))}`

/** A base address. It may hold a key in its path or query, so it is kept as a secret that shows its host alone. */
export function url(example: string, tail: string) {
  const expected = `expected a URL such as ${example}`
  const mismatch = withRemedy(expected)
  const form = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s#\\/?\p{C}\ufffd]+([/?][^\s#\\@\p{C}\ufffd]*)?$/u
  return text(form, expected, mismatch)
    .max(2_048, `${expected}, of 2048 characters at most`)
    .transform((text, context) => {
      const parsed = readUrl(text)
      if (parsed && !`${parsed.pathname}/`.includes(`${tail}/`)) return secretUrl(text)
      const message = parsed ? `expected the base address, without ${tail}` : mismatch({ input: text })
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    })
    .meta({ secret: true })
}

const SERVER_NAME = 'expected the name of a host, such as node-1.example'
export const serverName = text(/^[A-Za-z\d_]([\w.-]*[A-Za-z\d_])?$/, SERVER_NAME).max(253, SERVER_NAME)

const PROXY = `${EXPECTED_PROXY}, or none`

/** Kept as a secret, as it may hold a password; `none` is for no proxy. */
export const proxy = text(/^(none|[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s#\\/?\p{C}\ufffd]+\/?)$/u, PROXY, withRemedy(PROXY))
  .max(2_048, `${PROXY}, of 2048 characters at most`)
  .transform((text, context) => {
    if (text === 'none') return text
    const url = proxyUrl(text)
    if (url !== undefined) return secretUrl(url)
    context.addIssue({ code: 'custom', message: withRemedy(PROXY)({ input: text }) })
    return z.NEVER
  })
  .meta({ secret: true })

/** Kept as secrets, as certificates only lengthen what is shown. */
export const certificates = pemText(/-----BEGIN CERTIFICATE-----/, EXPECTED_CERTIFICATE, readCertificates)
export const privateKey = pemText(/-----BEGIN ([A-Z\d ]+ )?PRIVATE KEY-----/, EXPECTED_KEY, readPrivateKey)

function pemText(form: RegExp, expected: string, read: typeof readPrivateKey) {
  return text(form, expected)
    .transform((given, context) => {
      const { pem, problems } = read(given)
      for (const message of problems) context.addIssue({ code: 'custom', message })
      return problems.length === 0 ? secret(pem) : z.NEVER
    })
    .meta({ secret: true })
}

const KEY = 'expected the key as one line of printable characters'
export const key = text(/^[!-~]([ -~]*[!-~])?$/, KEY)
  .max(4_096, `${KEY}, at most 4096`)
  .transform(secret)
  .meta({ secret: true })

/** Headers for connections and proxies (RFC 9110, 7.6.1). */
const ofHttp =
  /^(connection|content-length|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|via|content-encoding|content-range|date|forwarded|range)$/i
const ofOurs = /^(accept|accept-encoding|content-type|user-agent)$/i
const HEADER = 'expected the name of an HTTP header, such as x-data-api-key'

/** The name of a header that may hold a key. */
export const keyHeader = text(/^[\w!#$%&'*+.^`|~-]+$/, HEADER)
  .max(128, `${HEADER}, of 128 characters at most`)
  .superRefine((given, context) => {
    const taken = ofHttp.test(given)
      ? 'HTTP itself uses this header, so a key in it breaks the request'
      : 'stakewatch sets this header itself'
    if (ofHttp.test(given) || ofOurs.test(given)) {
      context.addIssue({ code: 'custom', message: `${HEADER}: ${taken}` })
    }
  })

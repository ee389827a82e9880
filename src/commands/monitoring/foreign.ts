// What other programs answer, checked and made harmless in one place: it cannot move the cursor, nest without end or name a
// time that there is not. Lines and tabs stay: what prints one line uses `printable`.

import { parse } from 'yaml'
import { z } from 'zod'
import { BaseError } from '../../errors.ts'
import { parseDuration } from '../../lib/duration.ts'
import { printable, printableLines } from '../../lib/printable.ts'
import { type Series, readSamples } from '../../metrics/read-exposition.ts'
import { shownOf, type Target } from '../http-target.ts'

/** As deep as answers in JSON may nest. */
const DEEPEST = 64

/** Escapes of JSON: a pair of surrogates, what is harmful, as half of a pair is, or any other with its second sign. */
const JSON_ESCAPE =
  /\\(?:(ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2})|u(?:00(?:0[0-8b-f]|1[\da-f]|7f|[89][\da-f])|061c|20(?:0[ef]|2[89a-e]|6[6-9])|d[89a-f][\da-f]{2})|[bfr]|([^]))/gi

/** Undefined where the text is no JSON. */
export function jsonOf(text: string): unknown {
  const escaped = text.replace(JSON_ESCAPE, (escape, pair?: string, other?: string) =>
    (pair ?? other) === undefined ? '?' : escape,
  )
  try {
    // A bare `\r` ends lines of JSON itself.
    return JSON.parse(escaped.replace(/[^\r\n\t]+/g, printable))
  } catch {
    return undefined
  }
}

/** The answer of a program of this name. */
export function readAs<T>(form: z.ZodType<T>, text: string, target: Target, program: string): T {
  const parsed = form.safeParse(jsonOf(text))
  if (parsed.success) return parsed.data
  throw new BaseError('bad_response', `${shownOf(target)} does not answer like ${program}: is this its URL?`)
}

/** `whose`: the configuration of Prometheus. One document, as these programs print it. */
export function readYaml<T>(form: z.ZodType<T>, text: string, whose: string): T {
  const refuse = (details: string) =>
    new BaseError('bad_response', `${whose} has another form than documented`, { details: printable(details) })
  const value = yamlOf(text, refuse)
  if (isDeeper(value, DEEPEST)) throw refuse(`it nests deeper than ${DEEPEST} levels`)
  const read = form.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw refuse(`${issue!.path.join('.')}: ${issue!.message}`)
}

/** The parser limits what aliases repeat. */
function yamlOf(text: string, refuse: (details: string) => BaseError): unknown {
  const reviver = (_: unknown, value: unknown) => (typeof value === 'string' ? printableLines(value) : value)
  try {
    return parse(text, reviver, { merge: true, logLevel: 'error' })
  } catch (error) {
    const [said = ''] = String(error).split('\n', 1)
    throw refuse(/call stack/.test(said) ? `it nests deeper than ${DEEPEST} levels` : said)
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1))
}

/** Of an exposition: what cannot be read is left out. */
export const samplesOf = (text: string): Series[] => readSamples(Buffer.from(printableLines(text)))

/** Milliseconds since the epoch that a Date can have. */
const LAST = 8.64e15

/** RFC 3339, as milliseconds since the epoch. */
export const timeText = z
  .string()
  .transform((text) => Date.parse(text))
  .pipe(z.number().min(-LAST).max(LAST))

/** Seconds since the epoch. */
export const timestamp = z
  .number()
  .min(-LAST / 1_000)
  .max(LAST / 1_000)

/** A length of time in seconds: of ten thousand years at most. */
export const seconds = z
  .number()
  .min(0)
  .max(LAST / 1_000)

const DAY = 86_400_000
const YEARS_AND_WEEKS = /^(?:(\d+)y)?(?:(\d+)w)?/

/** Milliseconds of a length of time as these programs print it: `2w` and `1y`, too. Undefined if it is none. */
export function lengthOf(text: string): number | undefined {
  const [head, years = '0', weeks = '0'] = YEARS_AND_WEEKS.exec(text)!
  const rest = text.slice(head.length)
  const length = rest === '' && head !== '' ? 0 : parseDuration(rest)
  const whole = length === undefined ? Infinity : (Number(years) * 365 + Number(weeks) * 7) * DAY + length
  return whole <= LAST ? whole : undefined
}

/** A number as Go prints it: an empty text is none, and not 0. */
export const numberText = z
  .string()
  .regex(/^(?:NaN|[+-]Inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/, 'expected a number')
  .transform((text) => (text === '+Inf' ? Infinity : text === '-Inf' ? -Infinity : Number(text)))

/** As Go quotes: older versions leave tabs as they are. */
const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([^]))/g
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

/** The text between the quotes. */
export function unquoted(text: string): string {
  return printableLines(
    text.replace(ESCAPE, (_, two?: string, four?: string, eight?: string, sign = '') => {
      const code = Number.parseInt(two ?? four ?? eight ?? '', 16)
      return Number.isNaN(code) ? (escapes[sign] ?? sign) : code > 0x10ffff ? '?' : String.fromCodePoint(code)
    }),
  )
}

export const httpUrlText = z.string().refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''))

/** The hosts alone of its URLs: the rest may be secret. */
export const withHosts = (text: string): string =>
  text.replace(/\bhttps?:\/\/[^\s"'<>]+/gi, (url) => URL.parse(url)?.host ?? '…')

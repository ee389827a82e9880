// What a node says in words: times, and why it does not take a call, in its own words where they are known.

import type { z } from 'zod'
import { readId } from '../../lib/ids.ts'
import { Refusal } from '../handler.ts'
import { exactFromBase58 } from '../world/random.ts'

/** There is no method of this name where it was asked for; `here` are those that there are. */
export function noMethod(asked: string, here: readonly string[]): Refusal {
  const [service = '', method = '', ...more] = asked.split('.')
  if (method === '' || more.length > 0) return refusal(`rpc: service/method request ill-formed: "${asked}"`)
  if (/^\p{Lu}/u.test(method)) return refusal('method must start with a non-uppercase letter')
  const what = here.some((one) => one.startsWith(`${service}.`)) ? 'method' : 'service'
  // Nodes call a method by the name that it has in their code.
  return refusal(`rpc: can't find ${what} "${service}.${method[0]!.toUpperCase()}${method.slice(1)}"`)
}

export const UNREADABLE =
  "couldn't unmarshal an argument. Ensure arguments are valid and properly formatted. See documentation for example calls"

export const LOG_LEVELS = ['OFF', 'FATAL', 'ERROR', 'WARN', 'INFO', 'TRACE', 'DEBUG', 'VERBO'] as const

/** Arguments that break a rule of the document, or cannot be read at all. */
export function badArguments({ issues }: z.ZodError, given: Readonly<Record<string, unknown>>): Refusal {
  for (const { path, code, message } of issues) {
    const name = String(path[0] ?? '')
    const value = given[name]
    if (code === 'custom') return refusal(message)
    if (value === undefined || value === '') return notGiven(name)
    if (code === 'too_big' && name === 'numToFetch') return badNumToFetch(value, 0)
    if (code === 'too_big' && name === 'alias') return aliasTooLong()
  }
  return refusal(UNREADABLE)
}

export function notGiven(name: string): Refusal {
  return refusal(`argument '${name}' not given`)
}

export function aliasTooLong(): Refusal {
  return refusal('alias length is too long')
}

/** `least` is 0 or 1: the document and live nodes differ on whether a request may ask for no items. */
export function badNumToFetch(given: unknown, least: 0 | 1): Refusal {
  return refusal(`numToFetch must be in [${least},1024] but is ${String(given)}`)
}

export function noSuchChain(name: string): Refusal {
  return refusal(`there is no ID with alias: ${name}`)
}

/** What a node answers with when a method fails. */
export function refusal(message: string): Refusal {
  return new Refusal(-32_000, message)
}

/** Why a text is no id of 32 bytes, as a live node puts it; undefined when it is one. */
export function idFlaw(text: string): string | undefined {
  if (readId(text).wrong === undefined) return undefined
  if (text === '') return 'base58 decoding error: zero length string'
  const [foreign] = /[^1-9A-HJ-NP-Za-km-z]/.exec(text) ?? []
  if (foreign !== undefined) return `base58 decoding error: invalid base58 digit ('${foreign}')`
  return bytesIn(text) < CHECKSUM_BYTES ? 'input string is smaller than the checksum size' : 'invalid input checksum'
}

const CHECKSUM_BYTES = 4

/** Each 1 at the beginning is a byte of its own. */
function bytesIn(base58: string): number {
  const [zeros] = /^1*/.exec(base58)!
  const digits = exactFromBase58(base58.slice(zeros.length)).toString(16)
  return zeros.length + (digits === '0' ? 0 : Math.ceil(digits.length / 2))
}

/** A time in whole Unix seconds, as a node writes it. */
export function nodeTime(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')
}

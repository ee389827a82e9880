// Why a node does not take a call, in its own words where they are known.

import type { z } from 'zod'
import { type Dialect, Refusal } from './serve.ts'

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

/** Arguments that break a rule of the document, or cannot be read at all. */
export function badArguments({ issues }: z.ZodError, given: Readonly<Record<string, unknown>>, dialect: Dialect) {
  for (const { path, code, message } of issues) {
    const name = String(path[0] ?? '')
    const value = given[name]
    if (code === 'custom') return refusal(message)
    if (value === undefined || value === '') return refusal(`argument '${name}' not given`)
    if (code === 'too_big' && name === 'numToFetch') return badNumToFetch(value, dialect)
    if (code === 'too_big' && name === 'alias') return refusal('alias length is too long')
  }
  return refusal(UNREADABLE)
}

/** The document lets nobody ask for nothing, live nodes do not. */
export function badNumToFetch(given: unknown, dialect: Dialect): Refusal {
  return refusal(`numToFetch must be in [${dialect === 'live' ? 1 : 0},1024] but is ${String(given)}`)
}

export function noSuchChain(name: string): Refusal {
  return refusal(`there is no ID with alias: ${name}`)
}

/** What a node answers with when a method fails. */
export function refusal(message: string): Refusal {
  return new Refusal(-32_000, message)
}

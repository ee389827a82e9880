// The cases that were recorded from a real node (test/fixtures/recorded), in the order in which they were asked.

import { readdirSync, readFileSync } from 'node:fs'
import { operations } from '../../src/operations/index.ts'
import { parseJson } from '../../src/upstream/json.ts'
import { distinct, ID, type Pool, wordsOf } from './form.ts'

export interface Recorded {
  /** The name of its file: the operation, or `transport`. */
  of: string
  case: string
  request: { url: string; body: string; method?: string; headers?: Readonly<Record<string, string>> }
  status: number
  headers: Readonly<Record<string, string>>
  /** JSON, its integers exact; a text where the answer is no JSON. */
  response: unknown
}

function casesIn(name: string): readonly Recorded[] {
  const folder = new URL(`../fixtures/${name}/`, import.meta.url)
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .toSorted()
    .flatMap((file) => {
      const of = file.replace(/\.json$/, '')
      const cases = parseJson(readFileSync(new URL(file, folder), 'utf8'), 'exact') as Omit<Recorded, 'of'>[]
      // A GET has no body.
      return cases.map((one) => ({ of, ...one, request: Object.assign({ body: '' }, one.request) }))
    })
}

export const recorded = casesIn('recorded')
/** Of what nodes answer beyond the two documents, and of how they did in outages. */
export const beyond = casesIn('recorded-beyond')

/**
 * The cases that the simulator answers too. Its nodes serve the methods of operations alone: what a real node returned for
 * another method waits here for its operation.
 */
export const replayed = beyond.filter(({ request, response }) => {
  const { result, error } = response as { result?: unknown; error?: { message: string } }
  const isPageOrText = result === undefined && error === undefined
  const isUnknown = error !== undefined && /can't find (method|service)|does not exist/.test(error.message)
  const [, method] = /"method": ?"([\w.]+)"/.exec(request.body) ?? []
  return isPageOrText || isUnknown || method === undefined || operations.some(({ name }) => name === method)
})

/** The result of a case, such as `result('platform.getCurrentValidators', 'L1')`. */
export function resultOf(of: string, name: string): unknown {
  const found = recorded.find((one) => one.of === of && one.case === name)
  const result = (found?.response as { result?: unknown } | undefined)?.result
  if (result === undefined) throw new Error(`no result was recorded of ${of}: ${name}`)
  return result
}

/** Validators that were added without a BLS key are on the public networks, and none is on the recorded one. */
const WITHOUT_KEY = ['result.validators[]', 'signer'] as const

/** All items of lists that were recorded of the operation, or of one that answers in the same form. */
export function poolOf(of: string, cases: readonly Recorded[] = recorded): Pool {
  const pool: Record<string, unknown[]> = {}
  function gather(value: unknown, path: string): void {
    if (Array.isArray(value)) {
      const at = `${path}[]`
      pool[at] = [...(pool[at] ?? []), ...(value as unknown[])]
      for (const item of value) gather(item, at)
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        const at = path === '' ? key : `${path}.${key}`
        // The entries of a map of ids are compared as the items of a list are.
        gather(wordsOf(key) === ID ? [member] : member, wordsOf(key) === ID ? `${path}.${ID}` : at)
      }
    }
  }
  const sameForm = new Set([of, ...(of === 'platform.getBlock' ? ['platform.getBlockByHeight'] : [])])
  for (const { response } of cases.filter((one) => sameForm.has(one.of))) gather(response, '')
  const [path, member] = WITHOUT_KEY
  const without = (pool[path] ?? []).map((item) => ({ ...(item as object), [member]: undefined }))
  pool[path] = [...(pool[path] ?? []), ...without.map((item) => JSON.parse(JSON.stringify(item)) as unknown)]
  return Object.fromEntries(Object.entries(pool).map(([at, items]) => [at, distinct(items)]))
}

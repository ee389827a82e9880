// The cases that were recorded from a real node (test/fixtures/recorded), in the order in which they were asked.

import { readdirSync, readFileSync } from 'node:fs'
import { parseJson } from '../../src/upstream/json.ts'

export interface Recorded {
  /** The name of its file: the operation, or `transport`. */
  of: string
  case: string
  request: { url: string; body: string }
  status: number
  headers: Readonly<Record<string, string>>
  /** JSON, its integers exact; a text where the answer is no JSON. */
  response: unknown
}

const folder = new URL('../fixtures/recorded/', import.meta.url)

export const recorded: readonly Recorded[] = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .toSorted()
  .flatMap((file) => {
    const of = file.replace(/\.json$/, '')
    const cases = parseJson(readFileSync(new URL(file, folder), 'utf8'), 'exact') as Omit<Recorded, 'of'>[]
    return cases.map((one) => ({ of, ...one }))
  })

/** The result of a case, such as `result('platform.getCurrentValidators', 'L1')`. */
export function resultOf(of: string, name: string): unknown {
  const found = recorded.find((one) => one.of === of && one.case === name)
  const result = (found?.response as { result?: unknown } | undefined)?.result
  if (result === undefined) throw new Error(`no result was recorded of ${of}: ${name}`)
  return result
}

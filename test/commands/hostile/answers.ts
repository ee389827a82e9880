// Answers of programs that attack the command that reads them.

import { array, constantFrom, nat, oneof, record, string, type Arbitrary } from 'fast-check'
import { isRawJson } from '../../../src/lib/raw-json.ts'
import { type Edit, edits, type TextEdit, textEdits } from '../../support/fuzz/json.ts'

/** What a text can do to a terminal, to a line, to a table, to a pattern and to a number. */
export const FORGED = 'FORGED'
const attacks: readonly string[] = [
  `\n${FORGED}`,
  `\r${FORGED}`,
  `\r\n${FORGED}`,
  `\u2028${FORGED}`,
  `\u0085${FORGED}`,
  '\u001b[2J',
  '\u009b31m',
  '\u0007\b\t',
  '\u202e\u2066\u200f',
  'http://me:word@[',
  'http://%zz',
  'javascript:1',
  '((a+)+)+$',
  '(',
  'a{1000}{1000}',
  '$&$1',
  'x'.repeat(20_000),
  '1e17',
  '1e16',
  '1y2w',
  '`$(id)`',
  '\ud800',
  'NaN',
  '+Inf',
  '-Inf',
  `${'['.repeat(80)}${']'.repeat(80)}`,
  '-1',
  '1e308',
  '1e-9',
  '9'.repeat(400),
  '99999999999d',
  '2026-13-01',
  '+275760-09-13T00:00:00Z',
  '--- \n- &a [*a]',
  '&a [*a, *a]\n...\n---\n',
  '{{ . }}',
  '"} 1\n',
]

interface Attack {
  at: number
  how: number
  text: string
}

/** What stands in a text, or in the whole of it. */
export const attacked = (text: string, { at, how, text: piece }: Attack) => {
  const place = at % (text.length + 1)
  return how === 0 ? piece : `${text.slice(0, place)}${piece}${how === 1 ? text.slice(place) : ''}`
}

/** Attacks some of the texts of a value, and names of members. */
export function withAttacks(value: unknown, some: readonly Attack[]): unknown {
  let texts = 0
  JSON.stringify(value, (_, one: unknown) => {
    texts += 1 + Number(typeof one === 'string')
    return one
  })
  return some.reduce((before, attack) => {
    let left = attack.at % Math.max(1, texts)
    const visit = (one: unknown): unknown => {
      if (typeof one === 'string') return left-- === 0 ? attacked(one, attack) : one
      if (typeof one !== 'object' || one === null || isRawJson(one)) return one
      if (Array.isArray(one)) return one.map(visit)
      return Object.fromEntries(
        Object.entries(one).map(([key, member]) => [left-- === 0 ? attacked(key, attack) : key, visit(member)]),
      )
    }
    return visit(before)
  }, value)
}

export interface Hostile {
  words: number
  edits: readonly Edit[]
  attacks: readonly Attack[]
  textEdits: readonly TextEdit[]
  /** In place of the answer. */
  other: string | undefined
  status: number
  location: string | undefined
}

const attackList = array(record({ at: nat(100_000), how: nat(2), text: constantFrom(...attacks) }), { maxLength: 3 })
const others = oneof(
  { weight: 60, arbitrary: constantFrom(undefined) },
  {
    weight: 2,
    arbitrary: constantFrom(
      '',
      'null',
      '[]',
      '{}',
      '<html>',
      '\ufeff{}',
      '['.repeat(100_000),
      'a'.repeat(100_000),
      '{"status":"success"}',
      `{"status":"error","error":"a\\nb http://me:word@host/secret","data":null}`,
      `{"status":"success","data":null,"warnings":["\\u001b[2J\\n${FORGED}"]}`,
      '{"status":"success","isPartial":true}',
      String.raw`{"status":"success","data":["\ud83d\ude00 \ud83d"]}`,
      '{"status":"success","data":{"resultType":"vector","result":[]}}',
      '{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[0,"1"]}]}}',
      'unsupported path requested',
    ),
  },
  { weight: 1, arbitrary: string({ unit: 'binary', maxLength: 40 }) },
)
export const hostile: Arbitrary<Hostile> = record({
  words: nat(1_000),
  edits,
  attacks: attackList,
  textEdits,
  other: others,
  status: oneof(
    { weight: 20, arbitrary: constantFrom(200) },
    { weight: 1, arbitrary: constantFrom(201, 204, 301, 400, 401, 403, 404, 409, 422, 429, 500, 503) },
  ),
  location: constantFrom(
    undefined,
    undefined,
    'https://login.example/?k=word',
    'http://[',
    `\u001b[2J\n${FORGED}`,
    '//x',
  ),
})

/** Of what it costs to read. */
export const sizeOf = ({ attacks: some, other = '', textEdits: cuts }: Hostile) =>
  other.length + [...some, ...cuts].reduce((sum, { text }) => sum + text.length, 0)

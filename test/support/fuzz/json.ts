// JSON that went wrong: unexpected values, and changes of a value that was right.

import { array, constant, constantFrom, nat, oneof, record, type Arbitrary } from 'fast-check'
import { isRawJson, rawJson } from '../../../src/lib/raw-json.ts'

const raw = [
  '1e999',
  '-1e999',
  '1e300',
  '-0',
  '0.1',
  '1.5',
  '18446744073709551615',
  '18446744073709551616',
  '9'.repeat(78),
  '9'.repeat(400),
  '-1',
  '1e-400',
  '9007199254740993',
  '100.5',
  '253402300800',
  '99999999999999',
].map(rawJson)
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '0',
  '-1',
  '00',
  '1e5',
  '1.5',
  'NaN',
  'Infinity',
  '-0',
  '0x',
  '0x0',
  '0xff',
  '9'.repeat(78),
  '9'.repeat(79),
  '1'.repeat(5_000),
  '\ud800',
  '\udfff\ud800',
  '\u0000',
  '\u202e',
  '\ufeff',
  'true',
  '0001-01-01T00:00:00Z',
  'null',
  '[]',
  '{}',
  '{"a":1}',
  '2026-07-28T15:00:00Z',
  '2026-13-45T99:00:00Z',
  '+275760-09-13T00:00:01Z',
  'Validating',
  'P',
  'mint',
  '__proto__',
  'constructor',
  'a'.repeat(300),
  '11111111111111111111111111111111LpoYY',
  'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
  `0x${'0'.repeat(40)}`,
  `0x${'f'.repeat(64)}`,
]
const nested = (depth: number): unknown => (depth === 0 ? [] : [nested(depth - 1)])
const named = (key: string, value: unknown) => Object.fromEntries([[key, value]])
const odd: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  [{}],
  nested(50),
  nested(900),
  named('__proto__', { polluted: true }),
  named('constructor', { prototype: {} }),
  named('toString', 1),
  named('length', -1),
  { id: 1 },
  Array.from({ length: 200 }, () => 1),
]

export const hostileValues: readonly unknown[] = [...raw, ...hostileTexts, ...odd, 0, 1, -1, 2 ** 31, 2 ** 53, 1e21]
const hostileKeys = ['__proto__', 'constructor', 'toString', '', 'a.b', '\ud800', 'x'.repeat(1_000)]

export interface Edit {
  at: number
  how: number
  what: number
}

interface Place {
  holder: Record<string, unknown>
  key: string
}

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length]!

/** Each changes what stands at a place. */
type How = (place: Place, edit: Edit, all: readonly Place[]) => void

const replace: How = ({ holder, key }, { what }) => set(holder, key, copyOf(hostileValues[what]))
const hows: readonly How[] = [
  replace,
  replace,
  replace,
  ({ holder, key }) => {
    if (Array.isArray(holder)) holder.splice(Number(key), 1)
    else delete holder[key]
  },
  ({ holder, key }, { what }) => {
    if (Array.isArray(holder))
      holder.push(...Array.from({ length: 1 + (what % 4) }, () => copyOf(holder[Number(key)] as unknown)))
    else set(holder, `${key}2`, holder[key])
  },
  ({ holder, key }) => set(holder, key, otherType(holder[key])),
  ({ holder, key }, { what }) => set(holder, key, { [pick(hostileKeys, what)]: holder[key] }),
  ({ holder, key }) => set(holder, key, [holder[key]]),
  ({ holder, key }, { what }, all) => {
    const other = pick(all, what * 7 + 3)
    set(holder, key, copyOf(other.holder[other.key]))
  },
  ({ holder }, { what }) => {
    if (!Array.isArray(holder)) set(holder, pick(hostileKeys, what), copyOf(hostileValues[what]))
  },
  ({ holder, key }, { what }) => {
    const text = holder[key]
    if (typeof text !== 'string' || text === '') return
    const at = what % text.length
    set(holder, key, `${text.slice(0, at)}${pick(['0', 'x', '-', ' ', 'é', '"', ''], what)}${text.slice(at + 1)}`)
  },
  ({ holder, key }, { what }) => {
    const value = holder[key]
    if (typeof value === 'number') set(holder, key, pick([-value, value * 1e6, value / 3, value + 1], what))
  },
]

export const edits: Arbitrary<Edit[]> = array(
  record({ at: nat(100_000), how: nat(hows.length - 1), what: nat(hostileValues.length - 1) }),
  { maxLength: 4 },
)

/** A copy of JSON with some things changed. */
export function edited(value: unknown, changes: readonly Edit[]): unknown {
  const root: Record<string, unknown> = { value: copyOf(value) }
  for (const change of changes) {
    const all = placesIn(root, [])
    if (all.length > 0) hows[change.how]!(pick(all, change.at), change, all)
  }
  return root['value']
}

function placesIn(holder: Record<string, unknown>, found: Place[], depth = 0): Place[] {
  for (const [key, value] of Object.entries(holder)) {
    found.push({ holder, key })
    if (typeof value === 'object' && value !== null && !isRawJson(value) && depth < 40) {
      placesIn(value as Record<string, unknown>, found, depth + 1)
    }
  }
  return found
}

function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || isRawJson(value)) return value
  if (Array.isArray(value)) return value.map(copyOf)
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copyOf(member)]))
}

/** Also a key that a plain assignment would take for the prototype. */
function set(holder: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
}

function otherType(value: unknown): unknown {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'string')
    return /^-?\d{1,70}$/.test(value) ? rawJson(String(BigInt(value))) : value.toUpperCase()
  return Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : Object.values(Object(value) as object)
}

/** JSON as it stands, so that writing it again gives the same digits. */
export function readExact(text: string): unknown {
  const keep = (_: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && String(value) !== context?.source ? rawJson(context!.source!) : value
  return JSON.parse(text, keep) as unknown
}

export interface TextEdit {
  at: number
  how: number
  text: string
}

/** What JSON and YAML are made of. */
export const pieces: readonly string[] = [
  ...Array.from('"\\{}[],:\0\ufeff\ud800\n\t-0é|%\'#~'),
  '',
  '<html>',
  '\\u',
  'null',
  '1e',
  '/*',
  '${',
  '*a',
  '&a ',
  '!x ',
  '- ',
  '? ',
  '<<: ',
  '['.repeat(2_000),
  '{"a":'.repeat(2_000),
  ' '.repeat(5_000),
]

export const textEdit = (texts: readonly string[]): Arbitrary<TextEdit> =>
  record({ at: nat(100_000), how: nat(3), text: constantFrom(...texts) })

/** Mostly none: what is no JSON ends soon. */
export const textEdits: Arbitrary<TextEdit[]> = oneof(
  { weight: 7, arbitrary: constant<TextEdit[]>([]) },
  { weight: 1, arbitrary: array(textEdit(pieces), { minLength: 1, maxLength: 3 }) },
)

export function editedText(text: string, changes: readonly TextEdit[]): string {
  return changes.reduce((before, { at, how, text: piece }) => {
    const place = before.length === 0 ? 0 : at % (before.length + 1)
    if (how === 0) return before.slice(0, place)
    if (how === 1) return before.slice(0, place) + piece + before.slice(place)
    if (how === 2) return before.slice(0, place) + piece + before.slice(place + 1 + (at % 9))
    return `${before.slice(0, place)}${before.slice(Math.max(0, place - 20))}`
  }, text)
}

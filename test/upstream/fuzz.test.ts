// What is read of an answer before its body is: how long an upstream wants to be left alone, and what the body may cost; and
// what was spent of an upstream's budget, as it was remembered.

import {
  array,
  constant,
  constantFrom,
  double,
  integer,
  nat,
  oneof,
  record,
  string,
  tuple,
  type Arbitrary,
} from 'fast-check'
import { BaseError } from '../../src/errors.ts'
import { createBounds } from '../../src/upstream/bounds.ts'
import { waitFor } from '../../src/upstream/headers.ts'
import { createSpending, type Spending, type SpendingOptions } from '../../src/budget/spending.ts'
import { edited, editedText, edits, hostileTexts, hostileValues, textEdits } from '../support/fuzz/json.ts'
import { fuzzed } from '../support/fuzz/fuzzed.ts'

/** Milliseconds since the epoch. */
const NOW = Date.UTC(2026, 10, 22)
const HOUR = 3_600_000

const dates = integer({ min: -4e9, max: 4e9 }).map((seconds) => new Date(NOW + seconds * 1_000).toUTCString())
const retryAfters: Arbitrary<string | string[] | undefined> = oneof(
  nat(10_000).map(String),
  double({ noNaN: true }).map(String),
  tuple(dates, textEdits).map(([text, some]) => editedText(text, some)),
  tuple(dates, constantFrom('Z', 'UTC', '+0100', 'PST', 'gmt', '')).map(([text, zone]) => text.replace('GMT', zone)),
  constantFrom(
    ...hostileTexts,
    '0x10',
    '0b1',
    '1e3',
    '1e999',
    '-Infinity',
    '+5',
    ' 5 ',
    '5, 6',
    '5;',
    'soon',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
    'Sun, 99 Nov 2026 25:61:61 GMT',
    'Mon, 22 Nov 275761 00:00:00 GMT',
    `A${'a'.repeat(20_000)} 0 GMT`,
    `A${'a '.repeat(20_000)}`,
  ),
  array(nat(10).map(String), { maxLength: 3 }),
  constant(undefined),
  string({ unit: 'binary', maxLength: 20 }),
)

fuzzed<string | string[] | undefined>('header retry-after', {
  inputs: retryAfters,
  sizeOf: (text) => String(text).length,
  run(text) {
    const wait = waitFor({ 'retry-after': text }, NOW)
    if (wait === undefined) throw new BaseError('bad_response', 'it says nothing')
    if (!(wait >= 0 && wait <= HOUR)) throw new Error(`${wait} ms`)
    if (typeof text === 'string' && /^\d{1,9}$/.test(text) && wait !== Math.min(Number(text) * 1_000, HOUR))
      throw new Error(`${text} s are ${wait} ms`)
    return wait
  },
})

interface Judged {
  text: string
  maxBytes: number
}

/** JSON of any depth and width, with what looks like structure inside of its texts. */
const leaves = constantFrom<unknown>(
  0,
  null,
  true,
  '',
  '[',
  '{"a":[',
  ']]',
  ',,,',
  '\\',
  '"',
  '\\"',
  '\\\\',
  'é',
  '\ud800',
)
const trees = tuple(nat(80), nat(6), constantFrom('list', 'map', 'both'), array(leaves, { maxLength: 40 })).map(
  ([depth, wide, how, inside]) => {
    let value: unknown = inside
    for (let level = 0; level < depth; level += 1) {
      const siblings = inside.slice(0, level % (wide + 1))
      const isList = how === 'list' || (how === 'both' && level % 2 === 0)
      value = isList
        ? [...siblings, value]
        : { ...Object.fromEntries(siblings.map((one, at) => [String(one) + at, one])), value }
    }
    return value
  },
)
const bodies: Arbitrary<Judged> = record({
  text: oneof(
    {
      weight: 8,
      arbitrary: tuple(trees, edits).map(([value, some]) => JSON.stringify(edited(value, some.slice(0, 1))) ?? ''),
    },
    { weight: 1, arbitrary: trees.map((value) => JSON.stringify(value, undefined, 2)) },
    { weight: 4, arbitrary: tuple(trees, textEdits).map(([value, some]) => editedText(JSON.stringify(value), some)) },
    {
      weight: 4,
      arbitrary: array(constantFrom('[', ']', '{', '}', ',', ':', '"', '\\', ' ', '1', 'é', '\ud800', '"a"'), {
        maxLength: 200,
      }).map((parts) => parts.join('')),
    },
  ),
  maxBytes: constantFrom(0, 23, 24, 120, 480, 1_000, 2_400, 8 * 1024 * 1024),
})

fuzzed<Judged>('bounds of answers', {
  inputs: bodies,
  sizeOf: ({ text }) => text.length,
  run({ text, maxBytes }) {
    const expected = isJson(text) ? isWithin(text, maxBytes) : undefined
    try {
      createBounds(maxBytes)(Buffer.from(text))
    } catch (thrown) {
      if (expected === true) throw new Error('it is refused though it fits', { cause: thrown })
      if (!(thrown instanceof BaseError) || thrown.code !== 'too_large') throw new Error('refused', { cause: thrown })
      throw thrown
    }
    if (expected === false) throw new Error('it is taken though it is too large')
  },
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** By other means: of valid JSON, without its texts, every bracket and comma is structure. */
function isWithin(text: string, maxBytes: number): boolean {
  const structure = text.replaceAll(/"(?:[^"\\]|\\.)*"/gs, '').replaceAll(/[^[\]{},]/g, '')
  const values = structure.replaceAll(/[\]}]/g, '').length
  let flat = structure.replaceAll(',', '')
  let levels = 0
  for (; flat !== ''; levels += 1) flat = flat.replaceAll(/\[\]|\{\}/g, '')
  return values <= Math.floor(maxBytes / 24) && levels <= 64
}

const spent = tuple(
  record({
    at: constantFrom(NOW, NOW - 1_000, NOW - 3 * HOUR, NOW + HOUR),
    minute: nat(1_000),
    day: array(
      tuple(
        nat(1_000),
        integer({ min: -1e8, max: 1e6 }).map((ago) => NOW + ago),
      ),
      { maxLength: 6 },
    ),
    saved: oneof(nat(5_000), constant(null)),
    ahead: nat(500),
  }),
  edits,
  constantFrom(...hostileValues),
  nat(9),
).map(([value, some, hostile, how]) => (how === 0 ? hostile : edited(value, some.slice(0, how % 3))))

interface Spent {
  value: unknown
  /** Units a minute. */
  perMinute: number
  store: 'none' | 'works' | 'fails'
  units: number
  /** A reload, after which as much is spent again. */
  reload: 'nothing' | 'other limits' | 'no limits' | 'another account'
}

fuzzed<Spent>('what was spent of a budget', {
  inputs: record({
    value: spent.map((value) => JSON.parse(JSON.stringify(value) ?? 'null') as unknown),
    perMinute: constantFrom(60, 60, 1, Infinity),
    store: constantFrom('works', 'works', 'fails', 'none'),
    units: nat(40),
    reload: constantFrom('nothing', 'other limits', 'no limits', 'another account'),
  }),
  sizeOf: ({ value }) => JSON.stringify(value).length,
  async run({ value, perMinute, store: how, units, reload }) {
    const now = { wall: NOW, steady: 5_000_000 }
    const kept: unknown[] = []
    const store = {
      load: () => value,
      save(_: string, record: unknown) {
        if (how === 'fails') return Promise.reject(new Error('full'))
        kept.push(JSON.parse(JSON.stringify(record)))
        return Promise.resolve()
      },
    }
    const limits = { perMinute, burst: units % 5 === 0 ? Infinity : 100 }
    const clock = { now: () => now }
    const before = createSpending({ clock, limits, ...(how === 'none' ? {} : { kept: { store, key: 'budget' } }) })
    const [minute, day, { units: left, at }] = [
      before.minute.total(now.steady),
      before.day.total(now.steady),
      before.saved,
    ]
    if (!(minute >= 0 && minute <= perMinute)) throw new Error(`${minute} units of the last minute`)
    if (!(day >= 0)) throw new Error(`${day} units of the last day`)
    if (Number.isNaN(left) || left === -Infinity || !Number.isFinite(at))
      throw new Error(`${left} units saved at ${at}`)
    before.spent(units, before.saved)
    if (units === 0 && perMinute < Infinity && how === 'works' && before.hasRoom(1))
      throw new Error('room before anything is written')
    await before.durable()
    if (reload !== 'nothing') await changed(before, { reload, units, limits })
    if (kept.length === 0) return { minute, day, left }
    // What is written is read again, and nothing that was spent is forgotten.
    const again = createSpending({
      clock,
      limits,
      kept: { store: { ...store, load: () => kept.at(-1) }, key: 'budget' },
    })
    if (again.day.total(now.steady) < before.day.total(now.steady)) throw new Error('what was spent is forgotten')
    return { minute, day, left }
  },
})

type Limits = SpendingOptions['limits']

async function changed(
  spending: Spending,
  { reload, units, limits }: { reload: string; units: number; limits: Limits },
) {
  if (reload === 'other limits') spending.limit({ ...limits, perMinute: 7 })
  else if (reload === 'no limits') spending.limit({ ...limits, perMinute: Infinity })
  else spending.keepAs('another')
  spending.spent(units, spending.saved)
  await spending.durable()
  if (!spending.hasRoom(0)) throw new Error('what was spent is not durable')
}

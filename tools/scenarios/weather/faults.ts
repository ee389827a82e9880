// What can go wrong between the daemon and an upstream: one entry of a table each, which does no I/O. Of the ways in which HTTP
// and envelopes break there is one of each consequence: test/upstream has the others, and test/bad-items what lists may hold.

import { rawJson } from '../../../src/lib/raw-json.ts'
import type { Random } from '../../../src/simulator/world/random.ts'

export interface Answer {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}

export interface Asked {
  service: 'node' | 'data' | 'metrics'
  /** The same question answered before, oldest first: its text and how old it is in milliseconds. */
  before: readonly { body: string; age: number }[]
  /** The answer to another question on the same upstream. */
  other: string | undefined
}

/** Waits are milliseconds. A `hang` sends nothing more; where no step ends it, the proper answer follows. */
export type Step = { write: string } | { wait: number } | { end: 'close' | 'reset' | 'hang' }

export interface Fault {
  name: string
  /** What a reader has of it: nothing, an answer of which no part is wrong, or what can pass for the truth. */
  gives: 'nothing' | 'an answer' | 'a lie'
  only?: readonly Asked['service'][]
  /** How often it is chosen, next to others. */
  weight?: number
  /** What happens to a connection before anything is asked; `refuse` has no listener. */
  connection?: 'refuse' | 'reset' | { greet: string }
  /** Another answer; undefined where there is nothing to change. */
  answer?: (proper: Answer, asked: Asked, dice: Random) => Answer | undefined
  /** Bytes in place of the answer. */
  bytes?: (proper: Answer, other: string | undefined) => readonly Step[] | undefined
}

const LINE = '\r\n'

const headOf = ({ status, headers }: Pick<Answer, 'status' | 'headers'>, more: Readonly<Record<string, string>>) =>
  `HTTP/1.1 ${status} x${LINE}${Object.entries({ ...headers, ...more })
    .map(([name, value]) => `${name}: ${value}${LINE}`)
    .join('')}${LINE}`

const lengthOf = (body: string) => ({ 'content-length': String(Buffer.byteLength(body)) })
const whole = (answer: Answer) => headOf(answer, lengthOf(answer.body)) + answer.body

const half = (text: string) => text.slice(0, Math.floor(text.length / 2))
/** The client waits in vain, which takes long: such a fault comes half as often. */
const late = (name: string, bytes: (proper: Answer) => readonly Step[]): Fault => ({
  name,
  gives: 'nothing',
  weight: 0.5,
  bytes,
})
const broken = (name: string, bytes: (proper: Answer) => readonly Step[]): Fault => ({ name, gives: 'nothing', bytes })

const ofTheWire: readonly Fault[] = [
  { name: 'connection-refused', gives: 'nothing', connection: 'refuse' },
  { name: 'reset-when-accepted', gives: 'nothing', connection: 'reset' },
  { name: 'speaks-first', gives: 'nothing', connection: { greet: `220 mail.example ESMTP${LINE}` } },
  broken('reset-after-request', () => [{ end: 'reset' }]),
  broken('closed-after-request', () => [{ end: 'close' }]),
  broken('garbage-for-a-status-line', () => [{ write: `lorem ipsum${LINE}${LINE}` }, { end: 'close' }]),
  broken('huge-header', (proper) => [{ write: headOf(proper, { 'x-huge': 'x'.repeat(200_000) }) }, { end: 'close' }]),
  broken('reset-in-body', (proper) => [
    { write: headOf(proper, lengthOf(proper.body)) + half(proper.body) },
    { wait: 30 },
    { end: 'reset' },
  ]),
  broken('bad-chunk-size', (proper) => [
    { write: `${headOf(proper, { 'transfer-encoding': 'chunked' })}zz${LINE}${proper.body}` },
    { end: 'close' },
  ]),
  broken('length-too-long', (proper) => [
    { write: headOf(proper, { 'content-length': '1000000000000' }) + proper.body },
    { end: 'close' },
  ]),
  late('no-answer', () => [{ end: 'hang' }]),
  late('late-answer', () => [{ wait: 60_000 }]),
  late('hang-in-headers', (proper) => [{ write: half(headOf(proper, {})) }, { end: 'hang' }]),
  late('hang-before-last-byte', (proper) => [{ write: whole(proper).slice(0, -1) }, { end: 'hang' }]),
  late('drip', ({ status, headers, body }) => [
    { write: headOf({ status, headers }, lengthOf(body)) },
    ...Array.from(body.slice(0, 40), (letter) => [{ write: letter }, { wait: 1_000 }]).flat(),
    { end: 'hang' },
  ]),
  {
    name: 'unsolicited-answer',
    gives: 'a lie',
    bytes: (proper, other) => (other === undefined ? undefined : [{ write: whole({ ...proper, body: other }) }]),
  },
  {
    name: 'answer-of-another-request',
    gives: 'a lie',
    answer: (proper, { other }) => (other === undefined ? undefined : { ...proper, body: other }),
  },
]

const statuses: readonly [name: string, status: number, headers?: Record<string, string>, weight?: number][] = [
  ['no-content', 204],
  ['moved', 302, { location: 'http://127.0.0.1:1/' }],
  ['bad-request', 400],
  ['too-many-requests-for-a-second', 429, { 'retry-after': '1' }],
  ['retry-after-nonsense', 429, { 'retry-after': 'soon' }],
  ['server-error', 500],
  ['unavailable', 503],
  ['unavailable-for-seconds', 503, { 'retry-after': '2' }],
  // After these the upstream is left alone for long.
  ['unauthorized', 401, {}, 0.1],
  ['forbidden', 403, {}, 0.1],
  ['retry-after-years', 429, { 'retry-after': '999999999' }, 0.1],
]

const texts: Readonly<Record<string, (body: string) => string>> = {
  'empty-body': () => '',
  'login-page': () => '<html><body>Sign in</body></html>',
  'cut-json': (body) => body.slice(0, -1),
  twice: (body) => body + body,
  'json-null': () => 'null',
  'deep-nesting': () => '['.repeat(100_000),
  'megabytes-of-json': () => `{"jsonrpc":"2.0","validators":[${'1,'.repeat(1_000_000)}1]}`,
}

type Json = null | boolean | number | string | Json[] | Whole
type Whole = { [key: string]: Json }

/** In place of the envelope of a node, or of the whole answer of a service. */
const envelopes: Readonly<Record<string, (all: Whole) => Json>> = {
  'wrong-id': (all) => ({ ...all, id: 999_999_999 }),
  'internal-error': ({ id }) => ({ jsonrpc: '2.0', id: id!, error: { code: -32_000, message: 'internal error' } }),
  'error-and-result': (all) => ({ ...all, error: { code: -32_000, message: 'but' } }),
  'result-null': (all) => ({ ...all, result: null }),
  'result-empty': (all) => ({ ...all, result: {} }),
}
const wholes: Readonly<Record<string, (all: Whole) => Json>> = {
  'error-with-status-200': () => ({ message: 'internal error', error: 'Internal Server Error', statusCode: 500 }),
  nulls: (all) => Object.fromEntries(Object.keys(all).map((key) => [key, null])),
  'other-names': (all) => Object.fromEntries(Object.entries(all).map(([key, one]) => [`${key}_`, one])),
}

const pages: Readonly<Record<string, (items: Json[], dice: Random) => Whole>> = {
  'empty-pages-for-ever': (_, dice) => ({ items: [], nextPageToken: dice.hex(16) }),
  'same-token-for-ever': (items) => ({ items, nextPageToken: 'again' }),
  'new-token-for-ever': (items, dice) => ({ items, nextPageToken: dice.hex(16) }),
}
const lists: Readonly<Record<string, (items: Json[]) => Json[]>> = {
  'empty-list': () => [],
  'item-missing': (items) => items.slice(1),
  reversed: (items) => items.toReversed(),
  'half-list': (items) => items.slice(0, Math.ceil(items.length / 2)),
}

const heights = /^(height|index|blockNumber|cumulativeTransactions)$/
const times = /([tT]ime|[tT]imestamp|Date)$/
/** Times that lie in the past when they are answered. */
const past = /^(blockTimestamp|timestamp|proposerTimestamp|startTime|startTimestamp|createBlockTimestamp|lastRun)$/
const counts = /^(txCount|.*Count|activeL1Validators|blockSizeBytes|gasUsed|gasLimit)$/
const amounts = /^(weight|amount|balance|supply|currentSupply|.*Reward|.*Amount|unlocked)$/
const ratios = /^(uptime|delegationFee|.*Percentage)$/
const ids = /^(nodeID|nodeId|validationID|txID|txHash|blockHash|utxoId|messageId|id|addresses)$/
const words = /^(blockType|txType|status|utxoType|rewardType|chainName|name|symbol|kind|level|callType)$/

/** What cannot be, and a reader has to refuse. */
const impossible: readonly [name: string, keys: RegExp, to: (value: Json) => Json][] = [
  ['absurd-height', heights, like(() => '1000000000000000')],
  ['height-negative', heights, like(() => -1)],
  ['time-far-ahead', past, like(() => 9_999_999_999)],
  ['time-in-milliseconds', past, like((value) => value * 1_000)],
  ['time-as-text', times, () => 'yesterday'],
  ['count-negative', counts, like(() => -1_000)],
  ['count-fraction', counts, like(() => 1.5)],
  ['amount-negative', amounts, like(() => -1)],
  ['amount-beyond-bits', amounts, () => '9'.repeat(90)],
  ['ratio-250', ratios, like(() => 250)],
  ['ratio-infinite', ratios, () => '1e999'],
  ['id-number', ids, () => 5],
]
/** What no reader can know to be wrong. */
const lies: typeof impossible = [
  ['height-jumps', heights, like((value) => value + 100_000)],
  ['time-zero', times, like(() => 0)],
  ['amounts-doubled', amounts, like((value) => String(BigInt(Math.trunc(value)) * 2n))],
  ['ids-alike', ids, () => 'NodeID-111111111111111111116DBWJs'],
  ['word-unknown', words, () => 'Whatever'],
  ['word-long', words, () => 'x'.repeat(100_000)],
  ['word-breaks-lines', words, () => 'a"b\\c\nd\u001b[31m\u009b'],
  ['word-prototype', words, () => '__proto__'],
  ['field-null', /./, () => null],
  ['clock-behind', times, like((value) => value - 86_400)],
  ['clock-ahead', times, like((value) => value + 86_400)],
]

/** In the form that the number had; what is no number stays. */
function like(to: (value: number) => number | string): (value: Json) => Json {
  return (value) => {
    const isText = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
    if (!isText && typeof value !== 'number') return value
    return isText ? String(to(Number(value))) : Number(to(Number(value)))
  }
}

const forged = ([name, keys, to]: (typeof lies)[number], gives: Fault['gives']): Fault => ({
  name,
  gives,
  answer: (proper, asked, dice) =>
    changed(proper, asked, (value) => {
      const places = placesIn(value, keys).filter(({ holder, key }) => to(holder[key]!) !== holder[key])
      if (places.length === 0) return undefined
      for (const { holder, key } of dice.next() < 0.5 ? [dice.pick(places)] : places) holder[key] = to(holder[key]!)
      return value
    }),
})

/** An answer to the same question whose age is between the two (milliseconds). */
const earlier = (name: string, least: number, most: number): Fault => ({
  name,
  gives: 'a lie',
  weight: 0.5,
  answer(proper, { before }) {
    const found = before.find(({ age }) => age >= least && age <= most)
    const { id } = JSON.parse(proper.body) as { id?: number }
    return (
      found && { ...proper, body: found.body.replace(/"id":\d+/, (text) => (id === undefined ? text : `"id":${id}`)) }
    )
  },
})

const listFault = (name: string, change: (items: Json[], dice: Random) => Whole, only?: Fault['only']): Fault => ({
  name,
  gives: 'a lie',
  weight: 0.5,
  ...(only && { only }),
  answer: (proper, asked, dice) =>
    changed(proper, asked, (value) => {
      const all = Object.entries(value).flatMap(([list, items]) => (Array.isArray(items) ? [{ list, items }] : []))
      const [longest] = all.toSorted((a, b) => b.items.length - a.items.length)
      if (!longest) return undefined
      const { items, ...rest } = change(longest.items, dice)
      return { ...value, [longest.list]: items!, ...rest }
    }),
})

const parsed = (name: string, change: (all: Whole) => Json, only: Fault['only']): Fault => ({
  name,
  gives: name === 'wrong-id' ? 'nothing' : 'an answer',
  weight: 0.5,
  only: only!,
  answer: (proper) => ({ ...proper, body: JSON.stringify(change(parseExactly(proper.body) as Whole)) }),
})

export const faults: readonly Fault[] = [
  ...ofTheWire,
  ...statuses.map(([name, status, headers = {}, weight = 1]): Fault => ({
    name,
    // Who may not ask knows that for certain.
    gives: status === 401 || status === 403 ? 'an answer' : 'nothing',
    weight,
    answer: () => ({ status, headers, body: status === 204 ? '' : 'no' }),
  })),
  ...Object.entries(texts).map(([name, text]): Fault => ({
    name,
    gives: 'nothing',
    answer: (proper) => ({ ...proper, body: text(proper.body) }),
  })),
  ...Object.entries(envelopes).map(([name, change]) => parsed(name, change, ['node'])),
  ...Object.entries(wholes).map(([name, change]) => parsed(name, change, ['data', 'metrics'])),
  ...Object.entries(pages).map(([name, change]) => listFault(name, change, ['data'])),
  ...Object.entries(lists).map(([name, change]) => listFault(name, (items) => ({ items: change(items) }))),
  ...impossible.map((one) => forged(one, 'an answer')),
  ...lies.map((one) => forged(one, 'a lie')),
  earlier('stale-replica', 60_000, 180_000),
  earlier('old-snapshot', 600_000, Infinity),
]

/** Integers beyond 2^53 stay what they are. */
function parseExactly(text: string): Json {
  return JSON.parse(text, (_, value: Json, { source }: { source?: string } = {}) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && source && /^-?\d+$/.test(source)
      ? (rawJson(source) as Json)
      : value,
  ) as Json
}

/** Changes what a client is after in the answer: of a node the result of the call, of a service the whole. */
function changed(proper: Answer, { service }: Asked, change: (value: Whole) => Whole | undefined): Answer | undefined {
  const all = parseExactly(proper.body)
  if (!isObject(all)) return undefined
  const { result } = all
  if (service !== 'node') return bodyOf(change(all))
  if (!isObject(result)) return undefined
  const value = change(result)
  return bodyOf(value && { ...all, result: value })

  function bodyOf(value: Whole | undefined): Answer | undefined {
    return value && { ...proper, body: JSON.stringify(value) }
  }
}

function isObject(value: unknown): value is Whole {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !('rawJSON' in value)
}

/** Fields of an answer, however deep, whose names fit. */
function placesIn(value: Json, keys: RegExp): { holder: Whole; key: string }[] {
  if (Array.isArray(value)) return value.flatMap((item) => placesIn(item, keys))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(keys.test(key) ? [{ holder: value, key }] : []),
    ...placesIn(inner, keys),
  ])
}

// Answers of each operation: recorded ones and those of the documents, changed; and values of the form that is asked for.

import { boolean, constant, constantFrom, nat, oneof, record, tuple, type Arbitrary } from 'fast-check'
import { readdirSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { BaseError } from '../../src/errors.ts'
import { secret, secretUrl } from '../../src/lib/secret.ts'
import { createJsonRpc } from '../../src/upstream/json-rpc.ts'
import { createRedactor } from '../../src/upstream/redact.ts'
import { createRest } from '../../src/upstream/rest.ts'
import type { Admission, Source } from '../../src/upstream/source.ts'
import { z } from 'zod'
import { fromText, type Operation, parseAnswer, toWire, type Wire } from '../../src/operations/define.ts'
import { operations } from '../../src/operations/index.ts'
import { unknownFields } from '../../src/operations/unknown-fields.ts'
import { type Cases, casesOf } from './cases.ts'
import { edited, editedText, edits, hostileValues, readExact, textEdits } from '../support/fuzz/json.ts'
import { fuzzed, promise } from '../support/fuzz/fuzzed.ts'
import { wireOf } from '../support/fuzz/shape.ts'

/** What the network gave. `ID` in the text stands for the id of the request. */
interface Canned {
  status: number
  headers: Readonly<Record<string, string | string[]>>
  text: string
  /** What the first request gets instead: the path without a route, before an operation has moved. */
  first?: { status: number; text: string }
  /** Asked twice: what was learned by the first answer counts for the second. */
  isTwice?: boolean
  /** Without a key, without a user, with a query in the address, and through a proxy. */
  isPlain?: boolean
}

const ID = '"@id@"'
/** Stands in the address and in a header: no error may hold it. */
const SECRET = 'k3y-of-the-source'

const never = new AbortController().signal
const admission: Admission = { open: async () => never, unsent: never, mayRetry: () => false, ended: () => {} }

function sourceOf({ service }: Pick<Operation, 'service'>, isPlain = false): Source {
  if (isPlain)
    return { service, network: 'fuji', name: 'one', url: secretUrl(`http://10.0.0.5:9650/a/?k=${SECRET}&%zz`) }
  const url = secretUrl(`http://user:${SECRET}@10.0.0.5:9650/`)
  const source: Source = { service, network: 'fuji', name: 'one', url }
  return service === 'data' ? { ...source, key: { header: 'x-data-api-key', value: secret(SECRET) } } : source
}

/** Throws BaseError. */
async function answerOf<O extends Operation>(operation: O, wire: Wire, canned: Canned) {
  const source = sourceOf(operation, canned.isPlain)
  let asked = 0
  const http = {
    send: ({ body }: { body?: string }) => {
      const { id } = Object(body === undefined ? {} : JSON.parse(body)) as { id?: unknown }
      asked += 1
      const { status, text } = asked === 1 && canned.first ? canned.first : canned
      const proxy = canned.isPlain && { proxy: secretUrl(`http://user:${SECRET}@10.0.0.9:3128`) }
      return Promise.resolve({ status, headers: canned.headers, text: text.replaceAll(ID, String(id)), ...proxy })
    },
    close: () => Promise.resolve(),
  }
  const ask = operation.service === 'node' ? createJsonRpc(http, { after: () => () => {} }) : createRest(http)
  try {
    if (canned.isTwice) await ask(source, operation, wire, admission)
    const { raw } = await ask(source, operation, wire, admission)
    return { ...parsed(operation, raw), raw }
  } catch (thrown) {
    if (!(thrown instanceof BaseError) || thrown.code === 'bug') throw thrown
    // It takes longer than all the rest.
    throw canned.text.includes(SECRET) ? createRedactor().redacted(thrown, source) : thrown
  }
}

function parsed<O extends Operation>(operation: O, raw: unknown) {
  try {
    return parseAnswer(operation, raw)
  } catch (thrown) {
    if (thrown instanceof z.ZodError) throw new BaseError('bad_response', 'the form', { details: thrown.message })
    throw thrown
  }
}

const fixtures = new URL('../fixtures/', import.meta.url)

/** Results and bodies by operation. */
function readFixtures(all: readonly Cases[]): ReadonlyMap<string, unknown[]> {
  const found = new Map<string, unknown[]>()
  const add = (name: string, value: unknown) => found.set(name, [...(found.get(name) ?? []), ...inPieces(value)])
  for (const folder of ['data/', 'node/', 'metrics/']) {
    for (const file of readdirSync(new URL(folder, fixtures))) {
      const operation = operations.find(({ name }) => file.startsWith(`${name}.`))
      if (operation) add(operation.name, readExact(readFileSync(new URL(`${folder}${file}`, fixtures), 'utf8')))
    }
  }
  for (const { operation, answers } of all) {
    for (const one of answers) if ('text' in one) add(operation, readExact(one.text))
  }
  for (const { name } of operations.filter(({ service }) => service === 'node')) {
    for (const { response } of recordedOf(name)) {
      const { result } = Object(response) as { result?: unknown }
      if (result !== undefined) add(name, result)
    }
  }
  return found
}

/** Long lists are many answers with a few items each, so that a case is short and its changes matter. */
function inPieces(value: unknown): unknown[] {
  const [key, list] =
    Object.entries(Object(value) as object).find(([, one]) => Array.isArray(one) && one.length > 2) ?? []
  if (key === undefined || Array.isArray(value)) return [value]
  const starts = Array.from({ length: Math.ceil((list as unknown[]).length / 2) }, (_, at) => at * 2)
  return starts.map((at) => ({ ...(value as object), [key]: (list as unknown[]).slice(at, at + 2) }))
}

function recordedOf(name: string): { response: unknown }[] {
  try {
    return readExact(readFileSync(new URL(`recorded/${name}.json`, fixtures), 'utf8')) as { response: unknown }[]
  } catch {
    return []
  }
}

/** Errors of a node as they were recorded. */
function recordedErrors(): readonly unknown[] {
  const files = readdirSync(new URL('recorded/', fixtures)).filter((file) => file.endsWith('.json'))
  return files.flatMap((file) =>
    recordedOf(file.replace(/\.json$/, '')).flatMap(({ response }) => {
      const { error } = Object(response) as { error?: unknown }
      return error === undefined || error === null ? [] : [error]
    }),
  )
}

/** Deep and long ones, as `JSON.parse` has to read them as well. */
const absurd = [
  '['.repeat(20_000),
  `{"a":`.repeat(10_000),
  `[${'1,'.repeat(10_000)}1]`,
  ' '.repeat(50_000),
  `"${'a'.repeat(50_000)}"`,
]

const headers: Arbitrary<Canned['headers']> = constantFrom<Canned['headers'][]>(
  {},
  { 'node-id': 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg' },
  { 'node-id': '' },
  { 'node-id': 'x'.repeat(10_000) },
  { 'node-id': ['a', 'b'] },
)

const statuses = [200, 200, 201, 204, 299, 301, 400, 401, 403, 404, 404, 408, 429, 500, 502, 503, 504, 599]
const bodies = (said: string, messages: readonly string[]) => [
  '',
  '404 page not found\n',
  'invalid host specified',
  'API call rejected because chain is not done bootstrapping',
  '<html><h1>502 Bad Gateway</h1></html>',
  said,
  ...[...messages, said, 'Cannot GET /v1/x', 'x'.repeat(5_000)].flatMap((message) => [
    JSON.stringify({ message }),
    JSON.stringify({ message: [message, 'more'], error: 'Bad Request', statusCode: 404 }),
  ]),
  '{"message":{"a":1}}',
  '{"message":[]}',
  '{"message":[null,[1]]}',
  'null',
  '[]',
]

/** An error, a status, or an envelope of another form. */
function failures({ service, notFound }: Operation, missing: readonly string[]): Arbitrary<Canned> {
  const messages = [...missing, ...(notFound ? [notFound.source] : []), "can't find method", "can't find service x"]
  const ok = (text: string): Canned => ({ status: 200, headers: {}, text })
  const refused = tuple(constantFrom(...statuses), constantFrom(...bodies(`GET /?k=${SECRET}`, messages)), headers).map(
    ([status, text, headers]): Canned => ({ status, headers, text }),
  )
  if (service !== 'node') return refused
  const errors = [
    ...recordedErrors(),
    ...messages.map((message) => ({ code: -32_000, message })),
    { code: SECRET, message: SECRET },
    ...hostileValues,
  ]
  const error = tuple(constantFrom(...errors), edits, constantFrom(ID, 'null', '"1"', '0', '')).map(([one, some, id]) =>
    ok(`{"jsonrpc":"2.0","error":${JSON.stringify(edited(one, some)) ?? 'null'}${id === '' ? '' : `,"id":${id}`}}`),
  )
  const envelope = constantFrom(
    `[{"jsonrpc":"2.0","result":{},"id":${ID}}]`,
    `{"jsonrpc":"2.0","id":${ID}}`,
    `{"result":{},"id":2}`,
    `{"result":{},"error":null,"id":${ID}}`,
    `{"result":{},"error":false,"id":${ID}}`,
    'null',
    '1',
    '"text"',
    `{"__proto__":{"id":${ID},"result":{}}}`,
  ).map(ok)
  return oneof(refused, error, envelope)
}

function inEnvelope({ service }: Operation, value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  return service === 'node' ? `{"jsonrpc":"2.0","result":${text},"id":${ID}}` : text
}

function inputsOf(operation: Operation, known: readonly unknown[], missing: readonly string[]): Arbitrary<Canned> {
  const changed = record({ of: nat(1_000), edits }).map(({ of, edits }) => edited(known[of % known.length], edits))
  const shaped = tuple(wireOf(operation.answer), edits).map(([value, some]) => edited(value, some.slice(0, 1)))
  const plain = wireOf(operation.answer)
  const values = oneof(
    { weight: 12, arbitrary: changed },
    { weight: 2, arbitrary: shaped },
    { weight: 1, arbitrary: plain },
  )
  const long = longLists(operation, known).map((lists) => ({
    weight: 1,
    arbitrary: lists.map((value): Canned => ({ status: 200, headers: {}, text: inEnvelope(operation, value) })),
  }))
  const ok = tuple(values, textEdits, headers).map(([value, some, headers]): Canned => ({
    status: 200,
    headers,
    text: editedText(inEnvelope(operation, value), some),
  }))
  const missed = constantFrom('Cannot GET /v1/x', 'no such object', '').map((message) => ({
    status: 404,
    text: JSON.stringify({ message }),
  }))
  const learned = tuple(oneof(ok, failures(operation, missing)), missed, boolean(), boolean()).map(
    ([canned, first, isTwice, isPlain]): Canned => ({ ...canned, first, isTwice, isPlain }),
  )
  const repeated = oneof(ok, failures(operation, missing)).map((canned): Canned => ({ ...canned, isTwice: true }))
  const unsigned = failures(operation, missing).map((canned): Canned => ({ ...canned, isPlain: true }))
  return oneof(
    { weight: 6, arbitrary: learned },
    { weight: 6, arbitrary: repeated },
    { weight: 12, arbitrary: unsigned },
    { weight: 240, arbitrary: ok },
    { weight: 40, arbitrary: failures(operation, missing) },
    { weight: 1, arbitrary: constantFrom(...absurd).map((text): Canned => ({ status: 200, headers: {}, text })) },
    { weight: 1, arbitrary: constant<Canned>({ status: 200, headers: {}, text: '' }) },
    ...long,
  )
}

/** Enough that they are read in parts, with some that are no items. */
function longLists({ items }: Operation, known: readonly unknown[]): Arbitrary<unknown>[] {
  const [whole] = known.filter((one) => items !== undefined && Array.isArray(memberOf(one, items)))
  const [item] = items === undefined ? [] : ((memberOf(whole, items) as unknown[] | undefined) ?? [])
  if (items === undefined || item === undefined) return []
  const isBad: Readonly<Record<string, (at: number) => boolean>> = {
    none: () => false,
    first: (at) => at < 1_500,
    all: () => true,
    every: (at) => at % 700 === 0,
  }
  return [
    tuple(constantFrom(1_100, 2_500, 5_600), constantFrom('none', 'first', 'all', 'every'), boolean()).map(
      ([length, how, isOther]) => {
        const list = Array.from({ length }, (_, at) => (isBad[how]!(at) ? 1 : item))
        return { ...(whole as object), ...(isOther ? { nextPageToken: {} } : {}), [items]: list }
      },
    ),
  ]
}

const memberOf = (value: unknown, name: string) => (Object(value) as Record<string, unknown>)[name]

const all = await casesOf(operations)
const known = readFixtures(all.map(({ cases }) => cases))
for (const { operation, cases } of all) {
  // Each is asked with parameters that its documents allow.
  const wire = toWire(operation, fromText(operation, cases.asks[0]!.params))
  fuzzed<Canned>(`an answer of ${operation.name}`, {
    inputs: inputsOf(operation, known.get(operation.name) ?? [{}], cases.missing ?? []),
    sizeOf: ({ text }) => text.length,
    run: (canned) => take(operation, wire, canned),
    ...(operation.name === 'list-latest-transactions' && {
      found: {
        'a number beyond doubles in a field without documented members': {
          status: 200,
          headers: {},
          text: '{"nextPageToken":"","transactions":[{"txHash":"a","txType":"ConvertSubnetToL1Tx","blockTimestamp":1700000001,"blockNumber":"5001","blockHash":"b","l1ValidatorDetails":[{"validationId":"v","blsCredentials":{"publicKey":1e999}}]}],"chainInfo":{"chainName":"p-chain","network":"fuji"}}',
        },
      },
    }),
  })
}

async function take(operation: Operation, wire: Wire, canned: Canned): Promise<unknown> {
  let answer
  try {
    answer = await answerOf(operation, wire, canned)
  } catch (thrown) {
    const { message, details = '' } = Object(thrown) as { message?: string; details?: string }
    if (`${message} ${details}`.includes(SECRET))
      throw new Error(`an error shows the secret: ${message} ${details}`, { cause: thrown })
    throw thrown
  }
  const { raw, ...taken } = answer
  promise(taken.value)
  const unknown = unknownFields(operation, raw, canned.text.length)
  if (unknown.length > 32) throw new Error(`${unknown.length} names of fields`)
  if (taken.dropped < 0 || taken.fieldsDropped < 0) throw new Error('fewer than nothing was left out')
  // Reading it a second time is half of the work: one of four will do.
  if (canned.text.length % 4 === 0 && !isDeepStrictEqual(parseAnswer(operation, raw), taken))
    throw new Error('read again, the answer says something else')
  return taken
}

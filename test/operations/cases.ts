// What each operation must do: one table for each, written from the documents. The same rows test the definition, the client
// against a bare server, the command line and the simulator. tools/mutate.ts counts the changes of a definition that no
// row notices.

import { readdirSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { fromText, type Operation, parseAnswer, pathOf, toWire, type Wire } from '../../src/operations/define.ts'
import type { World } from '../../src/simulator/world/world.ts'
import { parseJson } from '../../src/upstream/json.ts'
import { nullFailures } from './nulls.ts'

export interface Cases {
  /** The name that the document, or the design where the document has none, gives it. */
  operation: string
  /** Parameters as text, as on a command line, and the request that they must make. */
  asks: readonly Asking[]
  /** Parameters that break one rule of the document, and the message. */
  refuses: readonly (readonly [params: Texts, message: string])[]
  /** Answers written by hand or recorded, and what the client must make of them. */
  answers: readonly Answering[]
  /** JSON texts of answers that must be refused. */
  refusedAnswers?: readonly string[]
  /** Members whose null is not the same as their absence: entries of records, and members of any form. `*` is any key. */
  nullsDiffer?: readonly string[]
  /**
   * Parameters to which the simulated network has an answer. Without it the operation is asked without parameters. `path`
   * holds the parameters in the path, where the operation is served at several paths.
   */
  simulated?: (world: World, path: Texts) => Texts
  /** The operation that has to be asked before this one can be asked again. */
  undoneBy?: string
  /** What the upstream says when it does not have what was asked for, where that is not an error. */
  missing?: readonly string[]
  /** The upstream is unlikely to get what it does not have. */
  missingLasts?: true
  /** Recorded answers have fields that the definition leaves out. */
  isPartial?: true
  /** Places of amounts in the answer: required where the answer has integers beyond 2^53. */
  amounts?: readonly Amount[]
  /** Bytes of the largest plausible answer, where that is more than the 8 MiB of all others. */
  greatest?: number
  /** Why no SDK asks for it. Without it, a test in test/e2e/sdk must have a row. */
  unwitnessed?: string
}

/** A place of an amount: an item of the operation's list, or the whole answer where there is no list. */
export interface Amount {
  /** JSON text with `@` for the amount. */
  item: string
  /** Path of the amount in the item in our form. */
  path: string
  isRequired?: true
  /** An unreadable amount costs nothing else. */
  canBeLeftOut?: true
}

export type Texts = Readonly<Record<string, string>>

interface Asking {
  params: Texts
  /** `GET /path?query`, as on the wire. */
  request: string
  /** The JSON body, or the `params` of the RPC call. */
  body?: unknown
  /** The request to services that have moved the operation. */
  moved?: string
}

export type Answering = (Written | InFile) &
  (Whole | { reads: Reads }) & {
    /** Items of the list that must have been left out. */
    dropped?: number
    /** Optional fields that must have been left out of the rest. */
    fieldsDropped?: number
  }

interface Written {
  name: string
  /** JSON, of an RPC the result. */
  text: string
}

interface Whole {
  /** What the client makes of the answer. */
  value: unknown
}

/** The client leaves the answer as it is, but for the members with these names; `price.value` is one of its parent alone. */
type Reads = Readonly<Record<string, (written: never) => unknown>>

/** A member that the definition leaves out. */
export const gone = () => undefined

/** A time as Unix seconds. */
export const seconds = (text: string) => Date.parse(text) / 1_000

interface InFile {
  /** `data/list-utxos.document`: a file in test/fixtures, without `.json`, of what is long or what tests of collectors read. */
  fixture: string
}

const folder = new URL('cases/', import.meta.url)

/** Every table in cases/, by the name of its file: one for each operation. */
export async function allCases(): Promise<Cases[]> {
  const files = readdirSync(folder).toSorted()
  return Promise.all(files.map(async (file) => ((await import(new URL(file, folder).href)) as { cases: Cases }).cases))
}

/** The table of each operation; throws with what to do where one is missing. */
export async function casesOf(operations: readonly Operation[]): Promise<{ operation: Operation; cases: Cases }[]> {
  const all = new Map((await allCases()).map((cases) => [cases.operation, cases]))
  const missing = operations.filter(({ name }) => !all.has(name))
  if (missing.length > 0) throw new Error(missing.map(({ name }) => withoutCases(name)).join('\n'))
  return operations.map((operation) => ({ operation, cases: all.get(operation.name)! }))
}

export function withoutCases(name: string): string {
  return `${name} has no cases: add test/operations/cases/${name}.ts, see "Add an operation" in CONTRIBUTING.md`
}

/** The parameters in the path of the operation, for each path that its table asks for: once `{}` where the path is fixed. */
export function pathsOf(operation: Operation, { asks }: Cases): Texts[] {
  const names = 'rpc' in operation.via ? [...pathOf(operation).matchAll(/\{(\w+)\}/g)].map(([, name]) => name!) : []
  const paths = asks.map(({ params }) => Object.fromEntries(names.map((name) => [name, params[name]!])))
  return [...new Map(paths.map((path) => [Object.values(path).join('/'), path])).values()]
}

export const titleOf = (answering: Answering) => ('text' in answering ? answering.name : answering.fixture)

export const textOf = (answering: Answering) => ('text' in answering ? answering.text : fixtureText(answering.fixture))

export function fixtureText(name: string): string {
  return readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8')
}

export const valueOf = (answering: Answering) =>
  'value' in answering ? answering.value : readAs(parseJson(textOf(answering), 'exact'), answering.reads)

/** `parent` is the member whose items or entries these are, and `read` how it is read. */
function readAs(written: unknown, reads: Reads, parent = '', read: Reads[string] = (same) => same): unknown {
  if (written === null) return undefined
  if (Array.isArray(written))
    return read === gone ? undefined : written.map((item) => readAs(item, reads, parent, read))
  if (typeof written !== 'object') return read(written as never)
  if (read === gone) return undefined
  const members = Object.entries(written).map(([name, member]) => {
    const own = reads[`${parent}.${name}`] ?? reads[name] ?? read
    return [name, readAs(member, reads, name, own)] as const
  })
  return Object.fromEntries(members)
}

/** What a definition gets wrong, in words: what is quick to find comes first. Nothing when it does all that the table says. */
export function* failures(operation: Operation, cases: Cases): Generator<string> {
  if (operation.name !== cases.operation) yield `is named ${operation.name}`
  if (operation.maxBytes !== cases.greatest) yield `may have ${operation.maxBytes} bytes, see greatest`
  if (operation.isPartial !== cases.isPartial) yield 'does not agree about isPartial'
  yield* missingFailures(operation, cases)
  for (const asking of cases.asks) yield* askFailures(operation, asking)
  for (const [params, message] of cases.refuses) yield* refusalFailures(operation, params, message)
  for (const answering of cases.answers) yield* answerFailures(operation, answering)
  for (const text of cases.refusedAnswers ?? []) yield* takenAnswer(operation, text)
  for (const answering of cases.answers) yield* nullsRead(operation, cases, answering)
}

function missingFailures({ notFound, notFoundLasts }: Operation, { missing = [], missingLasts }: Cases): string[] {
  return [
    ...missing.flatMap((text) => (notFound?.test(text) ? [] : [`takes "${text}" for an error, see missing`])),
    ...(notFound && missing.length === 0 ? ['takes something for missing: add what to missing'] : []),
    ...(notFound?.test('') ? ['takes an error without words for missing'] : []),
    ...(notFoundLasts === missingLasts ? [] : ['does not agree about missingLasts']),
  ]
}

function askFailures(operation: Operation, { params, request, body, moved }: Asking): string[] {
  const asked = attempt(() => requestOf(operation, params))
  if (typeof asked === 'string') return [`asks ${JSON.stringify(params)}: ${asked}`]
  const expected = { request, body: body ?? ('get' in operation.via ? undefined : {}), moved }
  return isDeepStrictEqual(asked, expected)
    ? []
    : [`asks ${JSON.stringify(asked)} instead of ${JSON.stringify(expected)}`]
}

/** The request as a bare server sees it. */
function requestOf(operation: Operation, params: Texts): { request: string; body: unknown; moved: string | undefined } {
  const wire = toWire(operation, fromText(operation, params))
  const verb = 'get' in operation.via ? 'GET' : 'POST'
  return {
    request: `${verb} ${addressOf(wire)}`,
    body: verb === 'GET' ? undefined : parseJson(JSON.stringify(wire.args ?? wire.body), 'exact'),
    moved: wire.moved && `${verb} ${addressOf(wire.moved)}`,
  }
}

function addressOf({ path, query }: Pick<Wire, 'path' | 'query'>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  )
  const search = new URLSearchParams(pairs).toString()
  return search === '' ? path : `${path}?${search}`
}

function refusalFailures(operation: Operation, params: Texts, message: string): string[] {
  const asked = attempt(() => requestOf(operation, params))
  if (typeof asked !== 'string') return [`takes ${JSON.stringify(params)}`]
  return asked.includes(message) ? [] : [`says ${asked} of ${JSON.stringify(params)} instead of ${message}`]
}

function answerFailures(operation: Operation, answering: Answering): string[] {
  const { dropped = 0, fieldsDropped = 0 } = answering
  const parsed = attempt(() => parseAnswer(operation, parseJson(textOf(answering), operation.integers)))
  if (typeof parsed === 'string') return [`${titleOf(answering)} is refused: ${parsed}`]
  const expected = { value: valueOf(answering), dropped, fieldsDropped }
  const { unread: _, ...counted } = parsed
  return isDeepStrictEqual(withoutUndefined(counted), withoutUndefined(expected))
    ? []
    : [`${titleOf(answering)} gives ${show(parsed)} instead of ${show(expected)}`]
}

function nullsRead(operation: Operation, { nullsDiffer = [] }: Cases, answering: Answering): string[] {
  const read = (raw: unknown) => {
    const parsed = attempt(() => parseAnswer(operation, raw))
    return typeof parsed === 'string' ? undefined : withoutUndefined({ ...parsed, unread: undefined })
  }
  const failures = nullFailures(parseJson(textOf(answering), operation.integers), read, nullsDiffer)
  return failures.map((failure) => `${titleOf(answering)}: ${failure}`)
}

function takenAnswer(operation: Operation, text: string): string[] {
  const parsed = attempt(() => parseAnswer(operation, parseJson(text, operation.integers)))
  return typeof parsed === 'string' ? [] : [`takes ${text}, see refusedAnswers`]
}

function attempt<T>(work: () => T): T | string {
  try {
    return work()
  } catch (thrown) {
    if (thrown instanceof z.ZodError) return z.prettifyError(thrown)
    return String(thrown)
  }
}

/** A member without a value is the same as none. */
export function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.map(([key, member]) => [key, withoutUndefined(member)]))
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? `${member}n` : member))
}

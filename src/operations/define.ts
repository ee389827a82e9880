// What an operation is: one definition for each REST operation and RPC method. The client, the simulator, the command line
// and the reference use the same definition.

import { z } from 'zod'
import type { Moment } from '../lib/clock.ts'
import { rawJson } from '../lib/raw-json.ts'
import { leaveOut } from './left-out.ts'

export type Service = 'data' | 'node' | 'metrics'

export interface Operation<
  N extends string = string,
  P extends z.ZodObject = z.ZodObject,
  A extends z.ZodType = z.ZodType,
> {
  /** The document's own word: file name, command and metric label. */
  name: N
  /** Where the document defines it. */
  source: string
  service: Service
  /**
   * `action` makes other machines work: never retried, polled hourly at most, and the command line asks for confirmation.
   * `change` alters the upstream: as `action`, but never polled.
   */
  effect: 'read' | 'action' | 'change'
  /**
   * Path template under the upstream's base URL; `rpc` posts the method `name` there. `{x}` is filled from params. `args`
   * names the parameters that the method takes as a list, in that order.
   */
  via:
    | { rpc: string; args?: readonly string[] }
    | { get: string; moved?: Moved }
    | { post: string; body: readonly string[] }
  params: P
  /** z.input is any accepted wire form, z.output is our form. */
  answer: A
  /** The list in the answer: items that cannot be read are left out and counted, the rest is used. */
  items?: string
  /**
   * The upstream's words when it does not have what was asked for, or not yet: the call ends with `not_found`. Without
   * them an error of the node is `rpc_error`, and a 404 of a service is `unsupported`.
   */
  notFound?: RegExp
  /** The upstream is unlikely to get what it does not have: asked again once an hour. */
  notFoundLasts?: true
  /** Some services lack its path: then it is `unsupported`, as an unknown method of a node is. */
  isOptional?: true
  /** Defines a part of what the upstream's answers are known to have: further fields are no news. */
  isPartial?: true
  /** Request units per page. */
  cost: number
  /** Largest answer in bytes, where the common limit is too small. */
  maxBytes?: number
  /** Some integers in the answer exceed 2^53: they are parsed without loss. */
  integers?: 'exact'
}

/**
 * The path that some services have moved an operation to: we use it when a service does not have the documented path.
 * `query` has fixed parameters of that path.
 */
interface Moved {
  get: string
  query: Readonly<Record<string, string>>
}

/** The shortest deadline of an action, in milliseconds: a service may need 55 s to collect the signatures of a network. */
export const ACTION_TIMEOUT = 90_000

export type Params<O extends Operation> = z.input<O['params']>
export type AnswerOf<O extends Operation> = z.output<O['answer']>

/** An answer and its origin. */
export interface Answer<T> {
  value: T
  /** When its request was sent: the machine may sleep before the answer arrives. Sharing the answer keeps this time. */
  at: Moment
  /** Milliseconds from its request to the answer. */
  took: number
  source: string
  /** Number of items that were left out because a field they need cannot be read. A missing item may be among them. */
  dropped: number
  /** The id of the node that answered: what it says itself, as a load balancer may hide several, else the configured one. */
  nodeId?: string
}

/** The simulator's side of an operation: a query of its world. */
export type Handler<O extends Operation, World> = (world: World, params: z.output<O['params']>) => z.input<O['answer']>

type Defaults = 'service' | 'effect' | 'params' | 'cost'
type Definition<O extends Operation> = Omit<O, Defaults> & Partial<Pick<O, Defaults>>

const nothing = z.object({})

/** By default it reads, takes nothing and costs one unit; RPC methods are those of nodes, paths the data service's. */
export function defineOperation<const N extends string, A extends z.ZodType, P extends z.ZodObject = typeof nothing>(
  definition: Definition<Operation<N, P, A>>,
): Operation<N, P, A> {
  const service = 'rpc' in definition.via ? 'node' : 'data'
  return { service, effect: 'read', params: nothing as unknown as P, cost: 1, ...definition }
}

/** A request in the documents' terms. */
export interface Wire {
  path: string
  query: Readonly<Record<string, string | readonly string[]>>
  /** Members of a JSON body, or the `params` of an RPC call. */
  body: Readonly<Record<string, unknown>>
  /** The `params` of an RPC call with positional parameters; its body is empty. */
  args?: readonly unknown[]
  /** The same request at the path that some services have moved the operation to. */
  moved?: Pick<Wire, 'path' | 'query'>
}

type Parameter = string | number | bigint | boolean

/** Whether this is not the first page: a later page without a readable item must not cost the pages before it. */
export function isLaterPage({ query }: Wire): boolean {
  return (query['pageToken'] ?? '') !== ''
}

/** Throws a ZodError when the parameters break a rule of the document, or include one that it does not have. */
export function toWire(operation: Operation, params: unknown): Wire {
  refuseUnknown(operation, Object.keys(Object(params)))
  const given = operation.params.parse(params) as Record<string, Parameter | readonly Parameter[] | undefined>
  const used = new Set<string>()
  const filled = (template: string) =>
    template.replace(/\{(\w+)\}/g, (_, name: string) => {
      used.add(name)
      return pathSegment(name, given[name])
    })
  const path = filled(pathOf(operation))
  const inBody = 'rpc' in operation.via ? () => true : bodyTest(operation)
  const query: Record<string, string | readonly string[]> = {}
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || used.has(name)) continue
    if (inBody(name)) body[name] = typeof value === 'bigint' ? jsonInteger(value) : value
    else query[name] = Array.isArray(value) ? value.map(String) : String(value)
  }
  const args = 'rpc' in operation.via ? operation.via.args : undefined
  if (args) return { path, query, body: {}, args: args.map((name) => body[name]) }
  const moved = 'get' in operation.via ? operation.via.moved : undefined
  if (!moved) return { path, query, body }
  return { path, query, body, moved: { path: filled(moved.get), query: { ...moved.query, ...query } } }
}

/** The documents write integers of 64 bits as JSON numbers, and a double cannot hold all of them. */
function jsonInteger(value: bigint): unknown {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : rawJson(String(value))
}

/** Ignoring a misspelt parameter would turn `these nodes` into `all nodes`. */
function refuseUnknown({ params }: Operation, names: readonly string[]): void {
  const keys = names.filter((name) => !Object.hasOwn(params.shape, name))
  if (keys.length > 0) {
    const message = `unknown parameter ${keys.join(', ')}; known: ${Object.keys(params.shape).join(', ')}`
    throw new z.ZodError([{ code: 'unrecognized_keys', keys, path: [], message, input: {} }])
  }
}

/** Any value becomes one segment. Encoding does not help with dots: `%2e%2e` still means the parent. */
function pathSegment(name: string, value: Parameter | readonly Parameter[] = ''): string {
  const text = String(value)
  // Half of a surrogate pair cannot be encoded.
  if (text === '' || text === '.' || text === '..' || !text.isWellFormed()) {
    throw new z.ZodError([{ code: 'custom', path: [name], message: 'cannot be part of a path', input: {} }])
  }
  return encodeURIComponent(text)
}

export function pathOf({ via }: Operation): string {
  if ('rpc' in via) return via.rpc
  return 'get' in via ? via.get : via.post
}

function bodyTest({ via }: Operation): (name: string) => boolean {
  const names = new Set('post' in via ? via.body : [])
  return (name) => names.has(name)
}

interface Parsed<O extends Operation> {
  value: AnswerOf<O>
  /** Items of the list that were left out, in their wire form. */
  unread: readonly unknown[]
  dropped: number
  /** Number of optional fields that were left out because they cannot be read; their records are used. */
  fieldsDropped: number
}

/** A list is parsed in slices of this many items, so that a list of bad items is given up before it costs much. */
const SLICE = 1_000
/** With more bad items than this, the answer is not what it should be. */
const MAX_DROPPED = 5_000
/** A full page of blocks, the shortest one. Shorter lists do not pay for compiling their type, which takes 5 to 200 ms. */
const LONG_LIST = 50

/** The answer in our form, and what was left out of it. Throws a ZodError when leaving out does not help. */
export function parseAnswer<O extends Operation>(operation: O, raw: unknown, isLaterPage = false): Parsed<O> {
  const { items } = operation
  const list = listIn(operation, raw)
  if (!list || list.length <= SLICE) return parseSlice(operation, raw, isLaterPage)
  const whole: Parsed<O> = { value: undefined as AnswerOf<O>, unread: [], dropped: 0, fieldsDropped: 0 }
  const unread: unknown[] = []
  const kept: unknown[] = []
  let allBad: unknown
  for (let at = 0; at < list.length; at += SLICE) {
    const slice = list.slice(at, at + SLICE)
    const part = tryParseSlice(operation, { ...(raw as object), [items!]: slice })
    if ('bad' in part) {
      allBad ??= part.bad
      unread.push(...slice)
    } else {
      whole.value = part.value
      unread.push(...part.unread)
      whole.fieldsDropped += part.fieldsDropped
      for (const item of (part.value as Record<string, unknown[]>)[items!]!) kept.push(item)
    }
    if (unread.length > MAX_DROPPED) {
      const message = `more than ${MAX_DROPPED} items do not have the documented form`
      throw new z.ZodError([{ code: 'custom', path: [items!], message, input: {} }])
    }
  }
  // A list that lost all its items must not pass for an empty one.
  if (kept.length === 0) throw allBad
  const value = { ...(whole.value as object), [items!]: kept } as AnswerOf<O>
  return { ...whole, value, unread, dropped: unread.length }
}

/** The list in an answer that is not parsed yet; undefined where there is none. */
export function listIn({ items }: Operation, raw: unknown): readonly unknown[] | undefined {
  const list = items === undefined ? undefined : (Object(raw) as Record<string, unknown>)[items]
  return Array.isArray(list) ? list : undefined
}

/** A slice may be all bad while others are good: then this returns the error. */
function tryParseSlice<O extends Operation>(operation: O, raw: unknown): Parsed<O> | { bad: unknown } {
  try {
    return parseSlice(operation, raw, false)
  } catch (bad) {
    if (bad instanceof z.ZodError && bad.issues.every(({ path }) => path[0] === operation.items)) return { bad }
    throw bad
  }
}

function parseSlice<O extends Operation>(operation: O, raw: unknown, isLaterPage: boolean): Parsed<O> {
  const { answer, items } = operation
  const isLong = (listIn(operation, raw)?.length ?? 0) >= LONG_LIST
  const first = (isLong ? compileOnce(answer) : answer).safeParse(raw)
  if (first.success) return { value: first.data as AnswerOf<O>, unread: [], dropped: 0, fieldsDropped: 0 }
  const left = leaveOut(answer, raw, first.error.issues, items, isLaterPage)
  if (!left) throw first.error
  const { rest, ...counts } = left
  return { value: answer.parse(rest) as AnswerOf<O>, dropped: left.unread.length, ...counts }
}

const compiled = new WeakMap<z.ZodType, z.ZodType>()

/** Accepts, gives and refuses what the type does, and parses several times as fast. */
function compileOnce(type: z.ZodType): z.ZodType {
  let fast = compiled.get(type)
  if (!fast) compiled.set(type, (fast = z.compile(type)))
  return fast
}

/** Parameters from the texts of a query string or a command line: a list has repeated parameters or commas. */
export function fromText(
  { params }: Operation,
  strings: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, unknown> {
  const given: Record<string, unknown> = {}
  for (const [name, text] of Object.entries(strings)) {
    if (text === undefined) continue
    const type = params.shape[name]
    given[name] = type && isList(type) ? [text].flat().flatMap((one) => one.split(',')) : text
  }
  return given
}

function isList(type: z.core.$ZodType): boolean {
  if (type instanceof z.ZodOptional || type instanceof z.ZodDefault) return isList(type.unwrap())
  return type instanceof z.ZodPipe ? isList(type.in) : type instanceof z.ZodArray
}

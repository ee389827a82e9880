// What a fault is: one entry of a table. It turns the proper answer into what is sent in its place, and does no I/O.

import { rawJson } from '../../../src/lib/raw-json.ts'
import type { Random } from '../../../src/simulator/world/random.ts'

/** Where in an exchange it strikes, in the order in which an exchange goes. */
export const phases = [
  'connecting',
  'accepting',
  'request',
  'status line',
  'headers',
  'status',
  'start of the body',
  'middle of the body',
  'end of the body',
  'after the answer',
  'reuse of a connection',
  'text of the body',
  'envelope of a node',
  'envelope of a service',
  'values',
  'lists and pages',
  'values over time',
] as const

type Phase = (typeof phases)[number]

export interface Asked {
  service: 'node' | 'data' | 'metrics'
  /** The document's name of the operation; '' where the request names none. */
  operation: string
  /** Of the JSON-RPC call. */
  id: number | undefined
  /** Whether the connection has carried a request before. */
  isReused: boolean
  /** The same question answered before, oldest first: its text and how old it is in milliseconds. */
  before: readonly { body: string; age: number }[]
  /** The answer to another question on the same upstream. */
  other: string | undefined
}

export interface Answer {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}

/** Waits are milliseconds of the run. What stands after the last step does not come. */
type Step =
  | { write: string | Uint8Array }
  | { wait: number }
  /** `keep` is the proper end; a `hang` sends nothing more. */
  | { end: 'keep' | 'close' | 'reset' | 'hang' }

export type Script = readonly Step[]

/** What is done to a connection before its first request is read. */
type OnConnection = 'refuse' | 'reset' | 'close' | 'hang' | { greet: string | Uint8Array }

/** When a fault has changed the outcome of a request. */
type Counts =
  /** There is no proper answer in it. */
  | 'always'
  /** The client left before it was through. */
  | 'if given up'
  /** A client reads something else in it than in the proper answer. */
  | 'if it reads differently'

export interface Fault {
  name: string
  phase: Phase
  counts: Counts
  /** Only these services. */
  only?: readonly Asked['service'][]
  /** What it says can pass for the truth: no reader could know. */
  lies?: true
  /** Its status is certain: the client may not ask. */
  isCertain?: true
  /** How often it is chosen, next to others; default: 1. */
  weight?: number
  onConnection?: OnConnection
  /** Undefined where it does not apply. */
  make?: (proper: Answer, asked: Asked, dice: Random) => Script | undefined
}

export const LINE = '\r\n'

export function head({ status, headers }: Pick<Answer, 'status' | 'headers'>, more: Readonly<Record<string, string>>) {
  const all = Object.entries({ ...headers, ...more })
  return `HTTP/1.1 ${status} x${LINE}${all.map(([name, value]) => `${name}: ${value}${LINE}`).join('')}${LINE}`
}

/** As a server sends it when nothing is wrong. */
export function properly(answer: Answer): Script {
  return [{ write: Buffer.from(whole(answer)) }, { end: 'keep' }]
}

export function whole(answer: Answer): string {
  return head(answer, { 'content-length': String(Buffer.byteLength(answer.body)) }) + answer.body
}

/** Another body in the proper answer. */
export const withBody = (proper: Answer, body: string): Script => properly({ ...proper, body })

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Integers beyond 2^53 stay what they are. */
export function parseExactly(text: string): Json {
  return JSON.parse(text, (_, value: Json, { source }: { source?: string } = {}) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && source && /^-?\d+$/.test(source)
      ? (rawJson(source) as Json)
      : value,
  ) as Json
}

/** What a client is after in the answer: of a node the result of the call, of a service the whole. */
export function changed(
  proper: Answer,
  asked: Asked,
  change: (value: { [key: string]: Json }) => Json | undefined,
): Script | undefined {
  if (proper.status !== 200) return undefined
  const all = parseExactly(proper.body)
  if (!isObject(all)) return undefined
  if (asked.service !== 'node') {
    const value = change(all)
    return value === undefined ? undefined : withBody(proper, JSON.stringify(value))
  }
  const { result } = all
  if (!isObject(result)) return undefined
  const value = change(result)
  return value === undefined ? undefined : withBody(proper, JSON.stringify({ ...all, result: value }))
}

export function isObject(value: unknown): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !('rawJSON' in value)
}

interface Place {
  holder: { [key: string]: Json }
  key: string
  value: Json
}

/** Fields of an answer, however deep, whose name and value fit. */
export function placesIn(value: Json, key: RegExp, fits: (value: Json) => boolean = () => true): Place[] {
  if (Array.isArray(value)) return value.flatMap((item) => placesIn(item, key, fits))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(key.test(name) && fits(inner) ? [{ holder: value, key: name, value: inner }] : []),
    ...placesIn(inner, key, fits),
  ])
}

/** The list of a REST or node answer: the longest one that it holds. */
export function listIn(value: { [key: string]: Json }): { name: string; items: Json[] } | undefined {
  const lists = Object.entries(value).flatMap(([name, items]) => (Array.isArray(items) ? [{ name, items }] : []))
  return lists.toSorted((a, b) => b.items.length - a.items.length)[0]
}

export type { Json }

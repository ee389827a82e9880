// The node's transport: JSON-RPC over POST, errors with HTTP 200, refusals as plain text.

import { isIP } from 'node:net'
import { z } from 'zod'
import { type Operation, pathOf } from '../operations/define.ts'
import type { Reply } from './faults.ts'
import { type Endpoint, endpointAt } from './node-endpoints.ts'
import type { NodeState } from './node-state.ts'
import { badArguments, noMethod, refusal, UNREADABLE } from './node-words.ts'
import { type Handled, nodeOf, type Place, Refusal } from './serve.ts'

export interface Asked {
  method: string
  /** Path and query. */
  url: string
  /** Name and port, as the asker has them. */
  host: string
  contentType: string | undefined
  /** API key. */
  key: string | undefined
  body: string
}

/** The node's answer, and the operation that was asked for where one was. */
export function answerRpc(
  handlers: readonly Handled[],
  place: Place,
  asked: Asked,
): { reply: Reply; operation?: string } {
  const endpoint = endpointAt(place, decodeURIComponent(asked.url.split('?')[0]!))
  const denied = denial(nodeOf(place), endpoint, asked)
  const { reply, operation } = denied ? { reply: inText(denied) } : answerAt(endpoint!, handlers, place, asked.body)
  const headers = { ...reply.headers, 'node-id': nodeOf(place).nodeId }
  return { reply: { ...reply, headers }, ...(operation ? { operation } : {}) }
}

/** What a node refuses before it looks at the call. */
function denial(
  { isBootstrapping }: NodeState,
  endpoint: Endpoint | undefined,
  { host, method, contentType = '' }: Asked,
): Refusal | undefined {
  if (!isAllowed(host)) return new Refusal(403, 'invalid host specified')
  if (!endpoint) return new Refusal(404, '404 page not found')
  if (isBootstrapping && endpoint.template.startsWith('/ext/bc/')) {
    return new Refusal(503, 'API call rejected because chain is not done bootstrapping')
  }
  if (method !== 'POST') return new Refusal(405, `rpc: POST method required, received ${method}`)
  const isJson = /^application\/json(;|$)/i.test(contentType)
  return isJson ? undefined : new Refusal(415, `rpc: unrecognized Content-Type: ${contentType}`)
}

/** By default a node answers to addresses and to one name. */
function isAllowed(host: string): boolean {
  const name = host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')
  return name === '' || name === 'localhost' || isIP(name) > 0
}

function inText({ status, message }: Refusal): Reply {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, text: `${message}\n` }
}

function answerAt(
  endpoint: Endpoint,
  handlers: readonly Handled[],
  place: Place,
  body: string,
): { reply: Reply; operation?: string } {
  const here = handlers.filter(({ operation }) => pathOf(operation) === endpoint.template)
  const call = callOf(body)
  const called = call.flaw ? undefined : here.find(({ operation }) => operation.name === call.method)
  const outcome = outcomeOf(() => {
    if (call.flaw) throw call.flaw
    if (!called)
      throw noMethod(
        call.method,
        here.map(({ operation }) => operation.name),
      )
    return called.handle(place, argumentsOf(called.operation, call.params, endpoint, place))
  })
  return { reply: inJson(call.id, outcome), ...(called ? { operation: called.operation.name } : {}) }
}

interface Call {
  /** Given back as it came. Without one nobody waits for an answer. */
  id: unknown
  method: string
  params: unknown
  flaw?: Refusal
}

const envelope = z.object({
  jsonrpc: z.unknown().optional(),
  id: z.unknown().optional(),
  method: z.string().default(''),
  params: z.unknown().optional(),
})

/** What cannot be read at all is answered without its id. */
function callOf(body: string): Call {
  const nothing = { id: null, method: '', params: undefined }
  let read: unknown
  try {
    read = JSON.parse(body)
  } catch {
    return { ...nothing, flaw: new Refusal(-32_700, 'parse error: the body is not JSON') }
  }
  const request = envelope.safeParse(read)
  if (!request.success) {
    const what = Array.isArray(read) ? 'array' : typeof read
    const flaw = `json: cannot unmarshal ${what} into Go value of type json2.serverRequest`
    return { ...nothing, flaw: new Refusal(-32_700, flaw) }
  }
  const { jsonrpc, id, method, params } = request.data
  const call = { id: id ?? undefined, method, params }
  return jsonrpc === '2.0' ? call : { ...call, flaw: new Refusal(-32_600, 'jsonrpc must be 2.0') }
}

/** An object, or a list that holds it alone, or nothing at all. */
const argument = z.union([
  z.record(z.string(), z.unknown()),
  z.tuple([z.record(z.string(), z.unknown())]).transform(([only]) => only),
  z
    .null()
    .optional()
    .transform(() => ({})),
])

function argumentsOf({ params }: Operation, given: unknown, { inPath }: Endpoint, { dialect }: Place) {
  const members = argument.safeParse(given)
  if (!members.success) throw refusal(UNREADABLE)
  const named = dialect === 'live' ? inAnyCase(members.data, Object.keys(params.shape)) : members.data
  const all = { ...named, ...inPath }
  const read = params.safeParse(all)
  if (!read.success) throw badArguments(read.error, all, dialect)
  return read.data
}

/** Live nodes know a parameter by its name in capital and in small letters alike: their own SDK asks for `blockId`. */
function inAnyCase(given: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  const known = new Map(names.map((name) => [name.toLowerCase(), name]))
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [known.get(name.toLowerCase()) ?? name, value]),
  )
}

type Outcome = { result: unknown } | { error: { code: number; message: string; data: null } }

function outcomeOf(work: () => unknown): Outcome {
  try {
    return { result: work() }
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    return { error: { code: thrown.status, message: thrown.message, data: null } }
  }
}

function inJson(id: unknown, outcome: Outcome): Reply {
  if (id === undefined) return { status: 200, headers: {}, text: '' }
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    text: JSON.stringify({ jsonrpc: '2.0', ...outcome, id }),
  }
}

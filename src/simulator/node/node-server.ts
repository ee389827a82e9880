// The node's transport: JSON-RPC over POST, errors with HTTP 200, refusals as plain text.

import { isIP } from 'node:net'
import { z } from 'zod'
import { EVM_PATH } from '../../operations/node/chains.ts'
import { answerEvm } from './evm-rpc.ts'
import type { Reply } from '../control/faults.ts'
import { liveArguments } from './live-arguments.ts'
import { beginChains } from './connected.ts'
import { healthOf, type Report } from './health-rounds.ts'
import { callOf } from './node-call.ts'
import { type Endpoint, endpointAt, HEALTH, pages } from './node-endpoints.ts'
import { chainIdOf, isBootstrapping } from './node-state.ts'
import { badArguments, noMethod, refusal, UNREADABLE } from './node-words.ts'
import { type Method, nodeOf, type Place, Refusal } from '../handler.ts'

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

/** The node's answer, and the name of the method that was called where one was. */
export function answerRpc(
  methods: readonly Method[],
  place: Place,
  asked: Asked,
): { reply: Reply; operation?: string; isStuck?: boolean } {
  beginChains(nodeOf(place), place.world)
  const endpoint = endpointAt(place, decodeURIComponent(asked.url.split('?')[0]!))
  const denied = denial(place, endpoint, asked.host)
  const { reply, operation } = denied ? { reply: inText(denied) } : answerAt(endpoint!, methods, place, asked)
  const headers = { ...reply.headers, 'node-id': nodeOf(place).nodeId, vary: 'Origin' }
  const chain = endpoint && chainBehind(endpoint, place)
  // Its process takes the call and never answers.
  const isStuck = chain !== undefined && nodeOf(place).troubles.get(chain)?.kind === 'frozen'
  return { reply: { ...reply, headers }, ...(operation ? { operation } : {}), isStuck }
}

/** What a node refuses before it looks at the call. Some of these texts end their line, as the node's libraries have it. */
function denial(place: Place, endpoint: Endpoint | undefined, host: string): Refusal | undefined {
  const node = nodeOf(place)
  if (!isAllowed(host)) return new Refusal(403, 'invalid host specified\n')
  if (!endpoint) return new Refusal(404, '404 page not found\n')
  const chain = chainBehind(endpoint, place)
  if (chain !== undefined && isBootstrapping(node, chain)) {
    return new Refusal(503, 'API call rejected because chain is not done bootstrapping\n')
  }
  return chain !== undefined && node.troubles.get(chain)?.kind === 'dead'
    ? new Refusal(500, 'rpc error: code = Canceled desc = grpc: the client connection is closing\n')
    : undefined
}

/** The id of the chain whose own interface it is. */
function chainBehind({ template, inPath }: Endpoint, place: Place): string | undefined {
  const [, named] = /^\/ext\/bc\/([^/]+)/.exec(template) ?? []
  return named === undefined ? undefined : chainIdOf(nodeOf(place), place.world, inPath['chain'] ?? named)
}

/** What the node's own interfaces refuse before they read the call. */
function unread({ method, contentType = '' }: Asked): Refusal | undefined {
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
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, text: message }
}

function answerAt(
  endpoint: Endpoint,
  methods: readonly Method[],
  place: Place,
  asked: Asked,
): { reply: Reply; operation?: string } {
  const report = reportAt(endpoint.template, asked.method)
  if (report) return { reply: page(report, place, asked.url) }
  const here = methods.filter(({ path }) => path === endpoint.template)
  if (endpoint.template === EVM_PATH) return answerEvm(here, place, endpoint.inPath, asked)
  const refused = unread(asked)
  if (refused) return { reply: inText(refused) }
  const call = callOf(asked.body, place.dialect)
  const called = call.flaw ? undefined : here.find(({ name }) => name === call.method)
  const outcome = outcomeOf(() => {
    if (call.flaw) throw call.flaw
    if (!called)
      throw noMethod(
        call.method,
        here.map(({ name }) => name),
      )
    return called.handle(place, argumentsOf(called, call.params, endpoint, place))
  })
  return { reply: inJson(call.id, outcome), ...(called ? { operation: called.name } : {}) }
}

/** The pages of the node's health take any HTTP method; where JSON-RPC is served as well, GET alone means the page. */
function reportAt(template: string, method: string): Report | undefined {
  return template === HEALTH ? (method === 'GET' ? 'health' : undefined) : pages[template]
}

/** Monitors look at the status alone. */
function page(report: Report, place: Place, url: string): Reply {
  const content = healthOf(place, report, new URLSearchParams(url.split('?')[1]).getAll('tag'))
  return {
    status: content.healthy ? 200 : 503,
    headers: { 'content-type': 'application/json' },
    text: `${JSON.stringify(content)}\n`,
  }
}

const members = z.record(z.string(), z.unknown())
const nothing = z
  .null()
  .optional()
  .transform(() => ({}))

/** An object, or a list that holds it alone, or nothing at all. */
const argument = z.union([members, z.tuple([members]).transform(([only]) => only), nothing])

/** A live node takes the first of a list, if there is one, and does not look at the others. */
const liveArgument = z.union([
  members,
  z
    .tuple([members.optional()])
    .rest(z.unknown())
    .transform(([first = {}]) => first),
  nothing,
])

function argumentsOf(
  { name: method, params }: Method,
  given: unknown,
  { inPath }: Endpoint,
  { dialect, world }: Place,
) {
  const isLive = dialect === 'live'
  const argued = (isLive ? liveArgument : argument).safeParse(given)
  if (!argued.success) throw refusal(UNREADABLE)
  if (isLive) {
    const names = Object.keys(params.shape).filter((name) => !Object.hasOwn(inPath, name))
    return { ...liveArguments(method, names, argued.data, world), ...inPath }
  }
  const all = { ...argued.data, ...inPath }
  const read = params.safeParse(all)
  if (!read.success) throw badArguments(read.error, all)
  return read.data
}

type Outcome = { result: unknown } | { error: { code: number; message: string; data: unknown } }

function outcomeOf(work: () => unknown): Outcome {
  try {
    return { result: work() }
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    return { error: { code: thrown.status, message: thrown.message, data: thrown.data } }
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

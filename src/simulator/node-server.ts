// The node's transport: JSON-RPC over POST, errors with HTTP 200, refusals as plain text.

import { isIP } from 'node:net'
import { z } from 'zod'
import { PRIMARY_NETWORK_ID } from '../lib/primary-network.ts'
import { type Operation, pathOf } from '../operations/define.ts'
import type { Reply } from './faults.ts'
import { chainIdOf, type NodeState } from './node-state.ts'
import { matchPath } from './paths.ts'
import { type Handled, nodeOf, type Place, Refusal } from './serve.ts'

export interface Asked {
  method: string
  /** Path and query. */
  url: string
  /** Name and port, as the asker has them. */
  host: string
  contentType: string | undefined
  body: string
}

/** An id of any kind is given back as it came. */
const envelope = z.object({
  jsonrpc: z.unknown().optional(),
  id: z.unknown().optional(),
  method: z.string().default(''),
  params: z.unknown().optional(),
})

/** An object, or a list that holds it alone, or nothing at all. */
const argument = z.union([
  z.record(z.string(), z.unknown()),
  z.tuple([z.record(z.string(), z.unknown())]).transform(([only]) => only),
  z
    .null()
    .optional()
    .transform(() => ({})),
])

/** The node's answer, and the operation that was asked for where one was. */
export function answerRpc(
  handlers: readonly Handled[],
  place: Place,
  asked: Asked,
): { reply: Reply; operation?: string } {
  const node = nodeOf(place)
  const identity = { 'node-id': node.nodeId }
  const text = (status: number, body: string) => ({
    reply: { status, headers: { ...identity, 'content-type': 'text/plain; charset=utf-8' }, text: `${body}\n` },
  })
  const json = (id: unknown, outcome: object) => ({
    status: 200,
    headers: { ...identity, 'content-type': 'application/json; charset=utf-8' },
    text: JSON.stringify({ jsonrpc: '2.0', ...outcome, id }),
  })
  const error = (id: unknown, code: number, message: string) => json(id, { error: { code, message, data: null } })

  if (!isAllowed(asked.host)) return text(403, 'invalid host specified')
  const path = pathOn(node, asked.url.split('?')[0]!)
  const here = handlers.flatMap((handled) => {
    const inPath = 'rpc' in handled.operation.via ? matchPath(pathOf(handled.operation), path) : undefined
    return inPath && isOf(handled.operation, inPath) ? [{ ...handled, inPath }] : []
  })
  if (here.length === 0 || (path === '/ext/admin' && !node.isAdminEnabled)) return text(404, '404 page not found')
  if (path.startsWith('/ext/bc/') && node.isBootstrapping) {
    return text(503, 'API call rejected because chain is not done bootstrapping')
  }
  if (asked.method !== 'POST') return text(405, `rpc: POST method required, received ${asked.method}`)
  if (!/^application\/json(;|$)/i.test(asked.contentType ?? '')) {
    return text(415, `rpc: unrecognized Content-Type: ${asked.contentType ?? ''}`)
  }
  const request = envelope.safeParse(parsed(asked.body))
  if (!request.success) return { reply: error(null, -32_700, 'parse error: not a JSON-RPC request') }
  const { jsonrpc, id = null, method, params } = request.data
  if (jsonrpc !== '2.0') return { reply: error(id, -32_600, 'jsonrpc must be 2.0') }
  const found = here.find(({ operation }) => operation.name === method)
  if (!found) return { reply: error(id, -32_000, `rpc: can't find method "${method}"`) }
  const { operation, handle, inPath } = found
  const given = argument
    .transform((members) => ({ ...members, ...inPath }))
    .pipe(operation.params)
    .safeParse(params)
  if (!given.success) {
    const isPathWrong = given.error.issues.some(({ path: [name = ''] }) => Object.hasOwn(inPath, name))
    if (isPathWrong) return text(404, '404 page not found')
    return { reply: error(id, -32_000, whyRefused(given.error)), operation: method }
  }
  try {
    return { reply: json(id, { result: handle(place, given.data) }), operation: method }
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    return { reply: error(id, thrown.status, thrown.message), operation: method }
  }
}

/** Whether there is such a path: its parts are values that the operation knows. */
function isOf({ params }: Operation, inPath: Readonly<Record<string, string>>): boolean {
  return Object.entries(inPath).every(([name, value]) => z.safeParse(params.shape[name]!, value).success)
}

/** By default a node answers to addresses and to one name. */
function isAllowed(host: string): boolean {
  const name = host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')
  return name === '' || name === 'localhost' || isIP(name) > 0
}

/** The path by the names that every node knows. */
function pathOn(node: NodeState, path: string): string {
  const named = node.endpoints.get(path.replace(/^\/ext\//, ''))
  const real = named === undefined ? path : `/ext/${named}`
  const chain = /^\/ext\/bc\/([^/]+)$/.exec(real)?.[1]
  return chain !== undefined && chainIdOf(node, chain) === PRIMARY_NETWORK_ID ? '/ext/bc/P' : real
}

/** What breaks a rule is told in its own words, what cannot be read is not. */
function whyRefused({ issues }: z.ZodError): string {
  const rules = issues.filter(({ code }) => ['custom', 'too_big', 'too_small'].includes(code))
  if (rules.length === 0) return "couldn't unmarshal an argument. Ensure arguments are valid"
  return rules.map(({ message }) => message).join('; ')
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

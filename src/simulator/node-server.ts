// The node's transport: JSON-RPC over POST, errors with HTTP 200, refusals as plain text.

import { z } from 'zod'
import { pathOf } from '../operations/define.ts'
import type { Reply } from './faults.ts'
import { type Handled, type Place, Refusal } from './serve.ts'

export interface Asked {
  method: string
  /** Path and query. */
  url: string
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
  const identity = { 'node-id': place.observer }
  const text = (status: number, body: string) => ({
    reply: { status, headers: { ...identity, 'content-type': 'text/plain; charset=utf-8' }, text: `${body}\n` },
  })
  const json = (id: unknown, outcome: object) => ({
    status: 200,
    headers: { ...identity, 'content-type': 'application/json; charset=utf-8' },
    text: JSON.stringify({ jsonrpc: '2.0', ...outcome, id }),
  })
  const error = (id: unknown, code: number, message: string) => json(id, { error: { code, message, data: null } })

  const [path = ''] = asked.url.split('?')
  const here = handlers.filter(({ operation }) => 'rpc' in operation.via && pathOf(operation) === path)
  if (here.length === 0) return text(404, '404 page not found')
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
  const { operation, handle } = found
  const given = argument.pipe(operation.params).safeParse(params)
  if (!given.success) {
    return {
      reply: error(id, -32_000, "couldn't unmarshal an argument. Ensure arguments are valid"),
      operation: method,
    }
  }
  try {
    return { reply: json(id, { result: handle(place, given.data) }), operation: method }
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    return { reply: error(id, thrown.status, thrown.message), operation: method }
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

// The body of a JSON-RPC call, as a node reads it.

import { z } from 'zod'
import { type Dialect, Refusal } from '../handler.ts'

export interface Call {
  /** Returned as it came. A call without one gets no answer. */
  id: unknown
  method: string
  params: unknown
  /** Why nothing is called. */
  flaw?: Refusal
}

const envelope = z.object({
  jsonrpc: z.unknown().optional(),
  id: z.unknown().optional(),
  method: z.string().default(''),
  params: z.unknown().optional(),
})

const UNPARSED = -32_700
const WRONG_VERSION = -32_600

/** A body that cannot be read at all is answered without its id. A live node adds to the error what it has read so far. */
export function callOf(body: string, dialect: Dialect): Call {
  const isLive = dialect === 'live'
  const unparsed = (message: string): Call => ({
    id: null,
    method: '',
    params: undefined,
    flaw: new Refusal(UNPARSED, message, isLive ? { jsonrpc: '', method: '', params: null, id: null } : null),
  })
  let read: unknown
  try {
    read = JSON.parse(body)
  } catch {
    return unparsed(isLive ? syntaxError(body.trim()) : 'parse error: the body is not JSON')
  }
  const request = envelope.safeParse(read)
  if (!request.success)
    return unparsed(`json: cannot unmarshal ${typeOf(read)} into Go value of type json2.serverRequest`)
  const { jsonrpc, id, method, params } = request.data
  const call = { id: id ?? undefined, method, params }
  if (jsonrpc === '2.0') return call
  const said = { jsonrpc: jsonrpc ?? '', method, params: params ?? null, id: id ?? null }
  return { ...call, flaw: new Refusal(WRONG_VERSION, 'jsonrpc must be 2.0', isLive ? said : null) }
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

/** In the words of the node's JSON library, for a text that goes wrong at its beginning or breaks off. */
function syntaxError(text: string): string {
  if (text === '') return 'EOF'
  const literal = ['null', 'true', 'false'].find((one) => one[0] === text[0])
  if (literal !== undefined) {
    const at = Array.from(literal).findIndex((letter, place) => text[place] !== letter)
    if (at >= text.length) return 'unexpected EOF'
    return `invalid character '${text[at]}' in literal ${literal} (expecting '${literal[at]}')`
  }
  return /^[-\d"[{]/.test(text) ? 'unexpected EOF' : `invalid character '${text[0]}' looking for beginning of value`
}

// The interface of a chain with an EVM, which comes from Ethereum's library: it refuses in other words than the node's own
// interfaces, and takes parameters by their place.

import { z } from 'zod'
import type { Reply } from '../control/faults.ts'
import { type Method, type Place, Refusal } from '../handler.ts'

interface Asked {
  method: string
  contentType: string | undefined
  body: string
}

type Answered = { reply: Reply; operation?: string }

const call = z.object({ id: z.unknown().optional(), method: z.string(), params: z.unknown().optional() })

const UNPARSED = -32_700
const NO_CALL = -32_600
const NO_METHOD = -32_601
const BAD_ARGUMENTS = -32_602

/** `inPath` holds the parameter of the path: the chain. */
export function answerEvm(
  methods: readonly Method[],
  place: Place,
  inPath: Readonly<Record<string, string>>,
  { method, contentType = '', body }: Asked,
): Answered {
  // Load balancers send a GET to see whether the node is up.
  if (method === 'GET') return { reply: { status: 200, headers: {}, text: '' } }
  if (method !== 'POST') return inText(405, 'method not allowed\n')
  if (!/^application\/json(;|$)/i.test(contentType)) {
    return inText(415, 'invalid content type, only application/json is supported\n')
  }
  const read = parsed(body)
  if (read === undefined) return inJson(outcome(null, () => refuse(UNPARSED, 'parse error')))
  if (Array.isArray(read)) return inJson(read.map((one) => answered(methods, place, inPath, one).said))
  const { said, operation } = answered(methods, place, inPath, read)
  return { ...inJson(said), ...(operation ? { operation } : {}) }
}

function answered(methods: readonly Method[], place: Place, inPath: Readonly<Record<string, string>>, one: unknown) {
  const asked = call.safeParse(one)
  if (!asked.success) return { said: outcome(null, () => refuse(NO_CALL, 'invalid request')), operation: undefined }
  const { id = null, method, params } = asked.data
  const called = methods.find(({ name }) => name === method)
  const said = outcome(id, () => {
    if (!called) return refuse(NO_METHOD, `the method ${method} does not exist/is not available`)
    return called.handle(place, { ...inPath, ...argumentsOf(called, params) })
  })
  return { said, operation: called?.name }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** By their names. What is not given is for the handler to refuse. */
function argumentsOf({ args: names, params }: Method, given: unknown): Record<string, unknown> {
  const list = given ?? []
  if (!Array.isArray(list)) return refuse(BAD_ARGUMENTS, 'non-array args')
  if (list.length > names.length) {
    return refuse(BAD_ARGUMENTS, `too many arguments, want at most ${names.length}`)
  }
  return Object.fromEntries(
    names.map((name, at) => {
      const type = params.shape[name]
      if (list[at] === undefined) return refuse(BAD_ARGUMENTS, `missing value for required argument ${at}`)
      const read = z.safeParse(type, list[at])
      if (read.success) return [name, read.data]
      return refuse(BAD_ARGUMENTS, `invalid argument ${at}: ${flawOf(list[at])}`)
    }),
  )
}

function flawOf(argument: unknown): string {
  if (typeof argument !== 'string') return `cannot unmarshal ${typeof argument}`
  if (argument === '') return 'empty hex string'
  return argument.startsWith('0x') ? `invalid hex string "${argument}"` : 'hex string without 0x prefix'
}

function refuse(code: number, message: string): never {
  throw new Refusal(code, message)
}

function outcome(id: unknown, work: () => unknown) {
  try {
    return { jsonrpc: '2.0', result: work(), id }
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    return { jsonrpc: '2.0', error: { code: thrown.status, message: thrown.message }, id }
  }
}

function inJson(said: unknown): Answered {
  return { reply: { status: 200, headers: { 'content-type': 'application/json' }, text: JSON.stringify(said) } }
}

function inText(status: number, text: string): Answered {
  return { reply: { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, text } }
}

// What a JSON-RPC error means. JSON-RPC's standard codes decide before words do; AvalancheGo has one code for nearly everything,
// so there only the words tell errors apart.

import { BaseError } from '../errors.ts'

/** The `error` member of an answer. */
export interface RpcError {
  /** Undefined where it is no integer. Some servers write it as text. */
  code: number | undefined
  message: string
}

const NO_METHOD = -32_601
/** Their meaning in JSON-RPC 2.0. A server that sends one of these knows the method, whatever the message says. */
const standard = new Map([
  [-32_700, 'it cannot read the request'],
  [-32_602, 'it does not accept the parameters'],
  [-32_603, 'it failed'],
])
/** The code of a request of the wrong form; some services send it for methods that they do not know. */
const INVALID_REQUEST = -32_600

/** In the words of nodes, of EVM chains and of the services in front of them. */
const NO_METHOD_WORDS = [
  /can't find (?:method|service)/,
  /\bmethod(?: \S{1,100})? (?:is )?(?:not found|not (?:yet )?(?:available|supported|implemented)|unsupported|unavailable)/i,
  /\bmethod(?: \S{1,100})? does not exist/i,
  /\b(?:unsupported|unknown|unrecognized|no such) (?:rpc |json-rpc )?method\b/i,
]

/** Methods outside of a chain's own interface report its bootstrapping as an error. */
const STILL_BOOTSTRAPPING = /still bootstrapping$/
export const NOT_READY = 'the chain has not finished bootstrapping'
/** Each node has a P-Chain. */
export const NO_NODE = 'HTTP 404 for /ext/bc/P: is the url the base address of a node?'

/** The start of a text that can hold what is searched for. */
const HEAD = 1_000

/** An error may also be a text alone. */
export function readRpcError(error: unknown): RpcError {
  const { code, message = error } = Object(error) as { code?: unknown; message?: unknown }
  const written = typeof code === 'string' || typeof code === 'number' ? String(code) : ''
  return {
    code: /^-?\d{1,15}$/.test(written) ? Number(written) : undefined,
    message: typeof message === 'string' ? message : 'no message',
  }
}

/** The error in the body of a refusal; undefined where it is none of JSON-RPC. */
export function errorIn(text: string): RpcError | undefined {
  try {
    const { error } = Object(JSON.parse(text)) as { error?: unknown }
    return error === undefined || error === null ? undefined : readRpcError(error)
  } catch {
    // The page of a gateway, or plain text.
    return undefined
  }
}

/** Whether the server says that it does not know the method. */
export function isMethodMissing({ code, message }: RpcError): boolean {
  if (code === NO_METHOD) return true
  if (code !== undefined && standard.has(code)) return false
  return hasWords(message)
}

/** Whether a plain text says so. It must name the method: otherwise `method` may be that of HTTP. */
export function namesMissing(text: string, method: string): boolean {
  return text.includes(method) && hasWords(text)
}

function hasWords(text: string): boolean {
  const head = text.slice(0, HEAD)
  return NO_METHOD_WORDS.some((words) => words.test(head))
}

export function methodMissing(details: string): BaseError {
  return new BaseError('unsupported', 'the node does not know this method', { details })
}

export function toError(error: RpcError, notFound?: RegExp): BaseError {
  const { code, message: details } = error
  if (isMethodMissing(error)) return methodMissing(details)
  if (STILL_BOOTSTRAPPING.test(details)) return new BaseError('not_ready', NOT_READY, { details })
  if (notFound?.test(details)) {
    return new BaseError('not_found', 'the node does not have what was asked for', { details })
  }
  const meaning = meaningOf(code)
  const number = code === undefined ? '' : ` ${code}${meaning && `: ${meaning}`}`
  return new BaseError('rpc_error', `the node answered with error${number}`, { details })
}

/** Of the codes from -32099 to -32000 each server has its own, so their number means nothing here. */
function meaningOf(code: number | undefined): string {
  if (code === INVALID_REQUEST) return 'it does not accept the form of the request'
  return (code !== undefined && standard.get(code)) || ''
}

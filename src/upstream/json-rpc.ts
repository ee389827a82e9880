// JSON-RPC 2.0 as nodes speak it: errors come with HTTP 200, refusals as plain text with 403, 404 or 503.

import { BaseError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { addressOf } from './address.ts'
import { MAX_BYTES } from './bounds.ts'
import { type Http, type HttpAnswer, isBootstrapping, isSuccess } from './http.ts'
import { parseJson } from './json.ts'
import { createLockQueues } from './lock-queue.ts'
import {
  errorIn,
  isMethodMissing,
  methodMissing,
  namesMissing,
  NO_NODE,
  NOT_READY,
  readRpcError,
  toError,
} from './rpc-error.ts'
import type { Ask } from './source.ts'
import { wordsBehind } from './status-words.ts'

/** Methods at this path take the lock of the P-Chain: parallel calls would delay the node's consensus. */
const P_CHAIN = '/ext/bc/P'

/** Statuses with which servers report that they do not know a method; AvalancheGo does so with 200. */
const MAY_LACK = new Set([400, 404, 405, 500, 501])

/** One request per call, no batches: the node refuses them. */
export function createJsonRpc(http: Http, clock: Pick<Clock, 'after'>): Ask {
  let lastId = 0
  const lines = createLockQueues(clock)

  return async (source, operation, wire, admission) => {
    const { url, headers } = addressOf(source, wire)

    async function post() {
      const id = (lastId += 1)
      const signal = await admission.open()
      const answer = await http.send({
        method: 'POST',
        url,
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id, method: operation.name, params: wire.args ?? wire.body }),
        signal,
        retry: operation.effect === 'read',
        maxBytes: operation.maxBytes ?? MAX_BYTES,
        attempts: admission,
        link: source,
      })
      if (!isSuccess(answer.status)) throw refused(answer, operation.name, url, wire.path)
      const raw = resultOf(parseJson(answer.text, operation.integers), id, operation.notFound)
      const nodeId = answer.headers['node-id']
      return { text: answer.text, raw, ...(typeof nodeId === 'string' && { nodeId }) }
    }

    return wire.path === P_CHAIN ? lines.enter(url, operation.name, admission.unsent, post) : post()
  }
}

/** The error for a refusal: of the node a status with plain text, of other servers also a JSON-RPC error. */
function refused(answer: HttpAnswer, method: string, url: string, path: string): BaseError {
  const { status, text } = answer
  const error = errorIn(text)
  const said = { details: error?.message ?? text }
  const isMissing = error ? isMethodMissing(error) : namesMissing(text, method)
  if (MAY_LACK.has(status) && isMissing) return methodMissing(said.details)
  if (status === 404 && path !== P_CHAIN) {
    return new BaseError(
      'unsupported',
      `the node does not serve ${path}: the API is disabled, the chain is unknown, or the node is still starting`,
      said,
    )
  }
  if (status === 404) {
    return new BaseError('http_status', NO_NODE, said)
  }
  if (status === 403 && text.includes('invalid host')) {
    return new BaseError(
      'http_status',
      'HTTP 403: the node refuses this host name; use its IP address in the url or extend its --http-allowed-hosts',
      said,
    )
  }
  if (isBootstrapping({ status, text })) return new BaseError('not_ready', NOT_READY, said)
  return new BaseError('http_status', `HTTP ${status}${wordsBehind(answer, url)}`, said)
}

function resultOf(envelope: unknown, id: number, notFound?: RegExp): unknown {
  if (typeof envelope !== 'object' || envelope === null || Array.isArray(envelope)) {
    throw new BaseError('bad_response', 'expected a JSON-RPC response object')
  }
  const { id: answered, error, result } = envelope as Record<string, unknown>
  const failed = error !== undefined && error !== null
  // A request that could not be read is answered without its id.
  if (answered !== id && !(failed && (answered ?? null) === null)) {
    throw new BaseError('bad_response', 'the answer carries another id than the request')
  }
  if (failed) throw toError(readRpcError(error), notFound)
  if (result === undefined) throw new BaseError('bad_response', 'the answer has neither result nor error')
  return result
}

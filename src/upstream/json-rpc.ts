// JSON-RPC 2.0 as nodes speak it: errors come with HTTP 200, refusals as plain text with 403, 404 or 503.

import { BaseError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { addressOf } from './address.ts'
import { MAX_BYTES } from './bounds.ts'
import { type Http, type HttpAnswer, isBootstrapping, isSuccess } from './http.ts'
import { parseJson } from './json.ts'
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
import { entryOf } from '../lib/entry.ts'

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

/** A call that takes longer delays only its own method (milliseconds). */
const A_MOMENT = 1_000

interface Waiting {
  method: string
  start: () => void
}

type Line = ReturnType<typeof createLine>

export function createLine({ after }: Pick<Clock, 'after'>) {
  let waiting: Waiting[] = []
  /** Methods with a call in flight, and whether it is slow. */
  const inFlight = new Map<string, boolean>()

  const isHeldBack = (method: string) => inFlight.has(method) || inFlight.values().some((isSlow) => !isSlow)

  function startNext(): void {
    const next = waiting.find(({ method }) => !isHeldBack(method))
    if (!next) return
    waiting = waiting.filter((one) => one !== next)
    next.start()
    startNext()
  }

  async function turn(method: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting = waiting.filter((one) => one !== own)
        reject(signal.reason as Error)
      }
      const own = {
        method,
        start() {
          signal.removeEventListener('abort', leave)
          inFlight.set(method, false)
          resolve()
        },
      }
      signal.addEventListener('abort', leave, { once: true })
      waiting.push(own)
      startNext()
    })
  }

  return {
    /** Does the work when its turn comes. When the signal aborts, a waiting call leaves the queue. */
    async enter<T>(method: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      await turn(method, signal)
      const notSlow = after(A_MOMENT, () => {
        inFlight.set(method, true)
        startNext()
      })
      try {
        return await work()
      } finally {
        notSlow()
        inFlight.delete(method)
        startNext()
      }
    },
    /** Whether no call waits or is in flight. */
    isEmpty: () => waiting.length === 0 && inFlight.size === 0,
  }
}

/**
 * Queues for calls that take the lock of a node's chain: a method that hangs delays only its own calls. One for each place that has
 * calls, as places come and go with the configuration.
 */
export function createLockQueues(clock: Pick<Clock, 'after'>) {
  const lines = new Map<string, Line>()
  return {
    /** Does the work in the queue of the place. */
    async enter<T>(place: string, method: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      const line = entryOf(lines, place, () => createLine(clock))
      try {
        return await line.enter(method, signal, work)
      } finally {
        // A call that ends late may find another queue in its place.
        if (line.isEmpty() && lines.get(place) === line) lines.delete(place)
      }
    },
    /** Places with calls in their queue. */
    count: (): number => lines.size,
  }
}

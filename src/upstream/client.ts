// Asking an upstream: parameters are checked, equal questions are shared, the answer is parsed and every call is reported.

import { asBaseError, BaseError, type ErrorCode } from '../errors.ts'
import { until } from '../lib/until.ts'
import { type Answer, type AnswerOf, type Operation, type Params, parseAnswer, toWire } from '../operations/define.ts'
import type { Http } from './http.ts'
import { createJsonRpc } from './json-rpc.ts'
import { createRest } from './rest.ts'
import { createShared } from './share.ts'
import type { Source } from './source.ts'

/** One request as the daemon's own metrics see it. */
export interface CallReport {
  source: Source
  operation: string
  code: 'ok' | ErrorCode
  seconds: number
  /** Items left out of the answer's list because they did not fit. */
  dropped: number
}

interface CallOptions {
  /** Ends the waiting of this asker. */
  signal: AbortSignal
  /** Milliseconds: an answer of this age will do. */
  maxAge?: number
}

export interface Client {
  /** Throws BaseError. */
  call<O extends Operation>(
    source: Source,
    operation: O,
    params: Params<O>,
    options: CallOptions,
  ): Promise<Answer<AnswerOf<O>>>
}

export interface ClientOptions {
  http: Http
  /** Milliseconds for one request, retries included. */
  timeout: number
  now: () => number
  report: (call: CallReport) => void
}

export function createClient({ http, timeout, now, report }: ClientOptions): Client {
  const shared = createShared(now)
  const rest = createRest(http)
  const askers = { node: createJsonRpc(http), data: rest, metrics: rest }

  async function fetch<O extends Operation>(source: Source, operation: O, params: Params<O>) {
    const started = now()
    const done = (code: CallReport['code'], dropped = 0) => {
      report({ source, operation: operation.name, code, seconds: (now() - started) / 1_000, dropped })
    }
    try {
      const wire = toWire(operation, params)
      // Not the asker's signal: others may have joined, and each of them stops waiting at its own deadline.
      const { raw, nodeId = source.nodeId } = await askers[source.service](
        source,
        operation,
        wire,
        AbortSignal.timeout(timeout),
      )
      const { value, dropped } = parse(operation, raw)
      done('ok', dropped)
      const answer: Answer<AnswerOf<O>> = { value, at: now(), source: source.name }
      return nodeId === undefined ? answer : { ...answer, nodeId }
    } catch (thrown) {
      const error = asBaseError(thrown)
      done(error.code)
      throw error
    }
  }

  return {
    call: (source, operation, params, { signal, maxAge = 0 }) =>
      until(
        signal,
        shared.ask(keyOf(source, operation, params), maxAge, () => fetch(source, operation, params)),
      ),
  }
}

function parse<O extends Operation>(operation: O, raw: unknown) {
  try {
    return parseAnswer(operation, raw)
  } catch (cause) {
    const details = cause instanceof Error ? cause.message.slice(0, 500) : ''
    throw new BaseError('bad_response', 'the answer does not have the documented form', { cause, details })
  }
}

function keyOf(source: Source, operation: Operation, params: object): string {
  const sorted = Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([source.service, source.name, source.url.reveal(), operation.name, sorted])
}

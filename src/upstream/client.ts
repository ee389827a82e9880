// Asking an upstream: parameters are checked, equal questions are shared, the answer is parsed and every call is reported.

import { z } from 'zod'
import { asBaseError, BaseError, type ErrorCode } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { until } from '../lib/until.ts'
import {
  ACTION_TIMEOUT,
  type Answer,
  type AnswerOf,
  type Operation,
  type Params,
  parseAnswer,
  toWire,
  type Wire,
} from '../operations/define.ts'
import { createAbsent } from './absent.ts'
import type { Http } from './http.ts'
import { createJsonRpc } from './json-rpc.ts'
import { redacted } from './redact.ts'
import { createRest } from './rest.ts'
import { createShared } from './share.ts'
import type { Source } from './source.ts'

/** One request as the daemon's own metrics see it. */
export interface CallReport {
  source: Source
  operation: string
  code: 'ok' | ErrorCode
  /** Why it failed, free of secrets; '' for an answer. */
  reason: string
  /** For logs, free of secrets as well. */
  details?: string | undefined
  seconds: number
  /** Items left out of the answer's list, and optional fields left out of the rest, because they did not fit. */
  dropped: number
  fieldsDropped: number
  /** Of the node that answered; undefined for a service, and where nothing tells. */
  nodeId?: string
}

interface CallOptions {
  /** Ends the waiting of this asker. */
  signal: AbortSignal
  /**
   * Milliseconds: an answer of this age will do. Left out: only a new answer will do, but what the upstream does not
   * support is not asked again within an hour. 0: whether it supports it is the question.
   */
  maxAge?: number | undefined
}

export interface Client {
  /** Throws BaseError, free of the source's secrets. */
  call<O extends Operation>(
    source: Source,
    operation: O,
    params: Params<O>,
    options: CallOptions,
  ): Promise<Answer<AnswerOf<O>>>
}

/** An answer as it came, for people and scripts: shared with nobody and not counted. Throws BaseError like `call`. */
export type AskBody = (source: Source, operation: Operation, wire: Wire) => Promise<{ text: string; raw: unknown }>

/** The transport alone, each request with `timeout` milliseconds of its own. */
export function createAskBody(http: Http, timeout: number): AskBody {
  const askers = askersOf(http)
  return async (source, operation, wire) => {
    try {
      return await askers[source.service](source, operation, wire, () => AbortSignal.timeout(timeout))
    } catch (thrown) {
      throw redacted(asBaseError(thrown), source)
    }
  }
}

function askersOf(http: Http) {
  const rest = createRest(http)
  return { node: createJsonRpc(http), data: rest, metrics: rest }
}

export interface ClientOptions {
  http: Http
  /** Milliseconds for one request, retries included; an action gets no less than it needs. */
  timeout: number
  clock: Clock
  report: (call: CallReport) => void
}

export function createClient({ http, timeout, clock, report }: ClientOptions): Client {
  const shared = createShared(clock)
  const absent = createAbsent(clock)
  const askers = askersOf(http)

  const timeoutOf = ({ effect }: Operation) => (effect === 'action' ? Math.max(timeout, ACTION_TIMEOUT) : timeout)

  async function fetch<O extends Operation>(source: Source, operation: O, wire: Wire) {
    const started = clock.now()
    const done = (end: Pick<CallReport, 'code'> & Partial<CallReport>) => {
      const seconds = (clock.now().steady - started.steady) / 1_000
      report({ source, operation: operation.name, seconds, reason: '', dropped: 0, fieldsDropped: 0, ...end })
    }
    try {
      // Not the asker's signal: others may have joined, and each of them stops waiting at its own deadline.
      const deadline = () => clock.deadline(timeoutOf(operation))
      const { raw, nodeId = source.nodeId } = await askers[source.service](source, operation, wire, deadline)
      const { value, dropped, fieldsDropped } = parse(operation, raw)
      done({ code: 'ok', dropped, fieldsDropped, ...(nodeId === undefined ? {} : { nodeId }) })
      const answer: Answer<AnswerOf<O>> = { value, at: clock.now(), source: source.name, dropped }
      return nodeId === undefined ? answer : { ...answer, nodeId }
    } catch (thrown) {
      const error = redacted(asBaseError(thrown), source)
      done({ code: error.code, reason: error.message, details: error.details })
      throw error
    }
  }

  return {
    async call(source, operation, params, { signal, maxAge }) {
      try {
        signal.throwIfAborted()
        const wire = wireOf(operation, params)
        // What goes over the wire is the question: defaults and the order of parameters make no difference.
        const key = JSON.stringify([source.service, source.name, source.url.reveal(), operation.name, wire])
        const known = maxAge === 0 ? undefined : absent.known(source, key)
        if (known) throw known
        return await until(
          signal,
          shared.ask(key, maxAge ?? 0, async () => {
            try {
              return await fetch(source, operation, wire)
            } catch (thrown) {
              absent.note(source, key, asBaseError(thrown), operation)
              throw thrown
            }
          }),
        )
      } catch (thrown) {
        throw asBaseError(thrown)
      }
    },
  }
}

function wireOf<O extends Operation>(operation: O, params: Params<O>): Wire {
  try {
    return toWire(operation, params)
  } catch (thrown) {
    throw new BaseError('bug', `wrong parameters for ${operation.name}`, { details: issuesOf(thrown) })
  }
}

function parse<O extends Operation>(operation: O, raw: unknown) {
  try {
    return parseAnswer(operation, raw)
  } catch (thrown) {
    throw new BaseError('bad_response', 'the answer does not have the documented form', { details: issuesOf(thrown) })
  }
}

/** Where it does not fit, without the values: the first few places tell enough. */
function issuesOf(thrown: unknown): string {
  if (!(thrown instanceof z.ZodError)) return String(thrown)
  const places = thrown.issues.slice(0, 3).map(({ path, message }) => `${path.join('.') || 'the whole'}: ${message}`)
  return places.join('; ')
}

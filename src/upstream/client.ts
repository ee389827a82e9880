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
  isLaterPage,
  parseAnswer,
  toWire,
  type Wire,
} from '../operations/define.ts'
import { createAbsent } from './unsupported.ts'
import type { Paid, Pass, Payer } from './payment.ts'
import type { Circuits, End } from './circuit.ts'
import type { Http, HttpAnswer } from './http.ts'
import { clockOffsetOf } from './clock-offset.ts'
import { createJsonRpc } from './json-rpc.ts'
import { createRedactor } from './redact.ts'
import { createRest } from './rest.ts'
import { createShared } from './shared-answers.ts'
import type { Door, Source } from './source.ts'
import { createStarting } from './bootstrapping.ts'
import { createUnreadItems } from './unreadable-items.ts'

/** One call as the daemon's own metrics see it. */
export interface CallReport {
  source: Source
  operation: string
  /** Of the endpoint that was asked. */
  path: string
  code: 'ok' | ErrorCode
  /** How each request ended that was sent for it, the last one as the call itself; none when nothing was sent. */
  sent: readonly ('ok' | ErrorCode)[]
  /** How many of them were answered with HTTP 429. */
  limited: number
  /** Why it failed, free of secrets; '' for an answer. */
  reason: string
  /** For logs, free of secrets as well. */
  details?: string | undefined
  seconds: number
  /**
   * Items left out of the answer's list that no answer had before, and optional fields left out of the rest, because they
   * did not fit.
   */
  dropped: number
  fieldsDropped: number
  /** Milliseconds that our clock is ahead of the upstream's, by its last answer; left out where that does not say. */
  clockAhead?: number
  /** Of the node that answered; undefined for a service, and where nothing tells. */
  nodeId?: string
}

export interface CallOptions {
  /** Ends the waiting of this asker. */
  signal: AbortSignal
  /** Ends its waiting for a request to be sent: a little earlier, so that it learns what it was waiting for. */
  patience?: AbortSignal
  /**
   * Milliseconds: an answer of this age will do. Left out: only a new answer will do, but what the upstream does not
   * support is not asked again within an hour. 0: whether it supports it is the question.
   */
  maxAge?: number | undefined
  /** Of the run that asks. */
  pass?: Pass | undefined
}

export interface Client {
  /** Throws BaseError, free of the secrets of the source and of all that are known. */
  call<O extends Operation>(
    source: Source,
    operation: O,
    params: Params<O>,
    options: CallOptions,
  ): Promise<Answer<AnswerOf<O>>>
}

/** An answer as it came, for people and scripts: shared with nobody and not counted. Throws BaseError like `call`. */
export type AskBody = (
  source: Source,
  operation: Operation,
  wire: Wire,
) => Promise<{ text: string; raw: unknown; nodeId?: string }>

/** The transport alone, each request with `timeout` milliseconds of its own. */
export function createAskBody(http: Http, timeout: number): AskBody {
  const { redacted } = createRedactor()
  const askers = askersOf(http, { after: () => () => {} })
  const door: Door = {
    open: async () => AbortSignal.timeout(timeout),
    unsent: new AbortController().signal,
    mayRetry: () => true,
    ended: () => {},
  }
  return async (source, operation, wire) => {
    try {
      return await askers[source.service](source, operation, wire, door)
    } catch (thrown) {
      throw redacted(asBaseError(thrown), source)
    }
  }
}

function askersOf(http: Http, clock: Pick<Clock, 'after'>) {
  const rest = createRest(http)
  return { node: createJsonRpc(http, clock), data: rest, metrics: rest }
}

export interface ClientOptions {
  http: Http
  /** Milliseconds for one request, retries included; an action gets no less than it needs. */
  timeout: number
  clock: Clock
  circuits: Circuits
  accountOf: (source: Source) => Payer
  report: (call: CallReport) => void
}

/** What a reload changes. */
export interface Adjustable {
  /** From now on a request may take so long (milliseconds). */
  limit(timeout: number): void
  /** From now on these are all upstreams of the configuration: no error tells a secret of any of them. */
  know(sources: readonly Source[]): void
  /** From now on the source is another one, is asked with another key, or not at all. */
  forget(source: Source): void
}

export function createClient(options: ClientOptions): Client & Adjustable {
  const { http, clock, circuits, accountOf, report } = options
  let { timeout } = options
  const shared = createShared(clock)
  const absent = createAbsent(clock)
  const unreadItems = createUnreadItems()
  const starting = createStarting()
  const { know, redacted } = createRedactor()
  const askers = askersOf(http, clock)

  const timeoutOf = ({ effect }: Operation) => (effect === 'action' ? Math.max(timeout, ACTION_TIMEOUT) : timeout)

  /** Every request of the call passes the circuit and is paid for. */
  function doorOf(source: Source, operation: Operation, unsent: AbortSignal, pass: Pass | undefined) {
    const account = accountOf(source)
    const payment = { units: operation.cost, pass }
    const outcomes: (HttpAnswer | BaseError)[] = []
    let leave: ((end: End) => void) | undefined
    let paid: Paid | undefined
    let clockAhead: number | undefined
    /** When the request was sent that was answered: its answer is no younger, also if the machine slept meanwhile. */
    let sentAt = clock.now()
    const door: Door = {
      unsent,
      async open() {
        leave ??= await circuits.enter(source, operation.name, unsent)
        paid = await account.pay(payment, unsent)
        sentAt = clock.now()
        // Not the asker's signal: others may have joined, and each of them stops waiting at its own deadline.
        return clock.deadline(timeoutOf(operation))
      },
      mayRetry() {
        paid = account.payNow(payment)
        sentAt = clock.now()
        return paid !== undefined
      },
      ended(outcome, wasSent) {
        paid!(outcome, wasSent)
        outcomes.push(outcome)
        if (!(outcome instanceof BaseError)) clockAhead = clockOffsetOf(outcome, sentAt, clock.now())
      },
    }
    const close = (error?: BaseError) => leave?.(endOf(outcomes, error))
    return {
      door,
      outcomes,
      close,
      sentAt: () => sentAt,
      clock: () => (clockAhead === undefined ? {} : { clockAhead }),
    }
  }

  async function fetch<O extends Operation>(
    source: Source,
    operation: O,
    wire: Wire,
    unsent: AbortSignal,
    pass: Pass | undefined,
  ) {
    const started = clock.now()
    const { door, outcomes, close, sentAt, clock: told } = doorOf(source, operation, unsent, pass)
    const done = (end: Pick<CallReport, 'code'> & Partial<CallReport>) => {
      const seconds = (clock.now().steady - started.steady) / 1_000
      const sent = outcomes.map((outcome, at) => (at === outcomes.length - 1 ? end.code : codeOf(outcome)))
      const limited = outcomes.filter(isLimit).length
      const left = { reason: '', dropped: 0, fieldsDropped: 0 }
      report({ source, operation: operation.name, path: wire.path, sent, limited, seconds, ...left, ...told(), ...end })
    }
    try {
      // Whoever would only wait in line to be told so is told at once.
      circuits.check(source, operation.name)
      const { raw, nodeId = source.nodeId } = await askers[source.service](source, operation, wire, door)
      const { value, unread, dropped, fieldsDropped } = parse(operation, raw, isLaterPage(wire))
      const fresh = unreadItems.fresh(source, `${operation.name} ${wire.path}`, unread)
      starting.answered(source, wire.path)
      close()
      done({ code: 'ok', dropped: fresh, fieldsDropped, ...(nodeId === undefined ? {} : { nodeId }) })
      const answer: Answer<AnswerOf<O>> = { value, at: sentAt(), source: source.name, dropped }
      return nodeId === undefined ? answer : { ...answer, nodeId }
    } catch (thrown) {
      const error = starting.understood(source, wire.path, redacted(asBaseError(thrown), source))
      close(error)
      done({ code: error.code, reason: error.message, details: error.details })
      throw error
    }
  }

  return {
    limit: (given) => void (timeout = given),
    know,
    forget(source) {
      absent.forget(source)
      unreadItems.forget(source)
    },
    async call(source, operation, params, { signal, patience = signal, maxAge, pass }) {
      try {
        signal.throwIfAborted()
        const wire = wireOf(operation, params)
        // What goes over the wire is the question: defaults and the order of parameters make no difference.
        const { service, name, url, key: by } = source
        const key = JSON.stringify([service, name, url.reveal(), by?.value.reveal(), operation.name, wire])
        const absentHere = absent.of(source)
        const known = maxAge === 0 ? undefined : absentHere.known(key)
        if (known) throw known
        const ask = async (unsent: AbortSignal) => {
          try {
            return await fetch(source, operation, wire, unsent, pass)
          } catch (thrown) {
            absentHere.note(key, asBaseError(thrown), operation)
            throw thrown
          }
        }
        return await until(signal, shared.ask(key, maxAge ?? 0, ask, patience))
      } catch (thrown) {
        throw asBaseError(thrown)
      }
    },
  }
}

/** What failed is the upstream, and not what it was asked for. */
const outages = new Set<ErrorCode>(['network', 'timeout', 'bad_response', 'too_large'])

function endOf(outcomes: readonly (HttpAnswer | BaseError)[], error?: BaseError): End {
  const last = outcomes.at(-1)
  if (!last || error?.code === 'aborted' || error?.code === 'config') return 'unsent'
  const hasRefused = !(last instanceof BaseError) && last.status >= 500 && error?.code !== 'not_ready'
  const isOutage = error && (outages.has(error.code) || hasRefused)
  return isOutage ? error : 'answered'
}

function isLimit(outcome: HttpAnswer | BaseError): boolean {
  return !(outcome instanceof BaseError) && outcome.status === 429
}

/** Of a request after which another one was sent. */
function codeOf(outcome: HttpAnswer | BaseError): ErrorCode {
  return outcome instanceof BaseError ? outcome.code : 'http_status'
}

function wireOf<O extends Operation>(operation: O, params: Params<O>): Wire {
  try {
    return toWire(operation, params)
  } catch (thrown) {
    throw new BaseError('bug', `wrong parameters for ${operation.name}`, { details: issuesOf(thrown) })
  }
}

/** No network has as many validators: what is listed beyond would cost memory that others need. */
const MOST_ITEMS = 150_000

function parse<O extends Operation>(operation: O, raw: unknown, isLater: boolean) {
  const list = operation.items === undefined ? undefined : (Object(raw) as Record<string, unknown>)[operation.items]
  if (Array.isArray(list) && list.length > MOST_ITEMS) {
    const message = `the answer lists ${list.length} ${operation.items}, more than the ${MOST_ITEMS} that are read: is this the right upstream?`
    throw new BaseError('too_large', message)
  }
  try {
    return parseAnswer(operation, raw, isLater)
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

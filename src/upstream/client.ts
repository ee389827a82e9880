// Calls to upstreams: checks the parameters, shares equal questions, parses the answer and reports every call.

import { z } from 'zod'
import { toBaseError, BaseError, type ErrorCode, isUnsentCode } from '../errors.ts'
import type { Clock, Moment } from '../lib/clock.ts'
import type { Secret } from '../lib/secret.ts'
import { until } from '../lib/until.ts'
import {
  ACTION_TIMEOUT,
  type Answer,
  type AnswerOf,
  type Operation,
  type Params,
  isLaterPage,
  listIn,
  parseAnswer,
  toWire,
  type Wire,
} from '../operations/define.ts'
import { unknownFields } from '../operations/unknown-fields.ts'
import { type Absent, createAbsent } from './unsupported.ts'
import type { Settle, Allotment, RequestBudget } from './request-budget.ts'
import type { Circuits, End } from './circuit.ts'
import type { Http, HttpAnswer } from './http.ts'
import { clockOffsetOf } from './headers.ts'
import { isRefusedConnection } from './failures.ts'
import { createRedactor, type Redactor } from './redact.ts'
import { createShared, type Shared } from './shared-answers.ts'
import type { Admission, Source } from './source.ts'
import { askersOf } from './transports.ts'
import { createNodeWords, type NodeWords } from './node-words.ts'
import { createUnreadItems, type UnreadItems } from './unreadable-items.ts'

/** One call as the daemon's own metrics see it. */
export interface CallReport {
  source: Source
  operation: string
  path: string
  code: 'ok' | ErrorCode
  /** How each request of the call ended, the last one as the call itself, unless that lacked a further one; empty when none was sent. */
  sent: readonly ('ok' | ErrorCode)[]
  /** A connection was refused: nothing listened there. Left out otherwise. */
  wasRefused?: true
  /** How many requests were answered with HTTP 429. */
  limited: number
  /** Why it failed, without secrets; '' for an answer. */
  reason: string
  /** For logs, without secrets. */
  details?: string | undefined
  seconds: number
  /**
   * Items left out of the answer's list because they did not fit, counted once each, and optional fields left out of the
   * rest.
   */
  dropped: number
  fieldsDropped: number
  /** Fields of the answer that its definition does not have, without secrets. */
  unknownFields: readonly string[]
  /** Milliseconds that our clock is ahead of the upstream's, by its last answer; left out where that has no date. */
  clockAhead?: number
  /** Id of the node that answered; undefined for a service, and where it is not known. */
  nodeId?: string
}

export interface CallOptions {
  /** Ends the wait of this asker. */
  signal: AbortSignal
  /** Ends its wait for a request to be sent: a little earlier, so that the error says why it waited. */
  patience?: AbortSignal
  /**
   * Accepts an answer of this age (milliseconds). Left out: accepts only a new answer, but does not ask again within an
   * hour for what the upstream does not support. 0: asks for that as well.
   */
  maxAge?: number | undefined
  allotment?: Allotment | undefined
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

export interface ClientOptions {
  http: Http
  /** Milliseconds for one request, retries included; an action gets no less than it needs. */
  timeout: number
  clock: Clock
  circuits: Circuits
  accountOf: (source: Source) => RequestBudget
  report: (call: CallReport) => void
  /** URLs that no error may contain, in addition to those of sources. */
  secrets?: readonly Secret[] | undefined
}

interface State extends ClientOptions {
  shared: Shared
  absent: Absent
  unreadItems: UnreadItems
  words: NodeWords
  redactor: Redactor
  /** Number of answers so far. */
  turn: number
  askers: ReturnType<typeof askersOf>
}

export function createClient(options: ClientOptions) {
  const { http, clock } = options
  const state: State = {
    ...options,
    shared: createShared(clock),
    absent: createAbsent(clock),
    unreadItems: createUnreadItems(),
    words: createNodeWords(),
    redactor: createRedactor(options.secrets),
    turn: 0,
    askers: askersOf(http, clock),
  }
  const { shared, absent, unreadItems, redactor } = state
  const call: Client['call'] = async (source, operation, params, { signal, patience = signal, maxAge, allotment }) => {
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
          return await fetch(state, { source, operation, wire, unsent, allotment })
        } catch (thrown) {
          absentHere.note(key, toBaseError(thrown), operation)
          throw thrown
        }
      }
      return await until(signal, shared.ask(key, maxAge ?? 0, ask, patience))
    } catch (thrown) {
      throw toBaseError(thrown)
    }
  }
  return {
    call,
    /** Sets the timeout of requests (milliseconds). */
    limit: (timeout: number) => void (state.timeout = timeout),
    /** Sets the upstreams of the configuration: no error contains a secret of any of them. */
    know: redactor.know,
    /** The source is gone, or has another address or key. */
    forget(source: Source): void {
      absent.forget(source)
      unreadItems.forget(source)
    },
  }
}

interface Request<O extends Operation = Operation> extends Pick<CallOptions, 'allotment'> {
  source: Source
  operation: O
  wire: Wire
  unsent: AbortSignal
}

interface Sent {
  /** Without the texts of answers: one may be large, and what is parsed takes its place. */
  outcomes: (Pick<HttpAnswer, 'status'> | BaseError)[]
  /** When the answered request was sent: its answer is no younger, even if the machine slept in between. */
  at: Moment
  clockAhead: number | undefined
  /** Reports to the circuit how the call ended. */
  leave?: (end: End) => void
}

/** Every request of the call passes the circuit and is paid for. */
function admissionOf(state: State, { source, operation, unsent, allotment }: Request, sent: Sent): Admission {
  const { clock, circuits } = state
  const account = state.accountOf(source)
  const charge = { units: operation.cost, allotment }
  let paid: Settle | undefined
  return {
    unsent,
    async open() {
      sent.leave ??= await circuits.enter(source, operation.name, unsent)
      paid = await account.pay(charge, unsent)
      sent.at = clock.now()
      // Not the asker's signal: others may have joined, and each of them stops waiting at its own deadline.
      return clock.deadline(Math.max(state.timeout, operation.effect === 'action' ? ACTION_TIMEOUT : 0))
    },
    mayRetry() {
      paid = account.payNow(charge)
      sent.at = clock.now()
      return paid !== undefined
    },
    ended(outcome, wasSent) {
      paid!(outcome, wasSent)
      sent.outcomes.push(outcome instanceof BaseError ? outcome : { status: outcome.status })
      if (!(outcome instanceof BaseError)) sent.clockAhead = clockOffsetOf(outcome.headers, sent.at, clock.now())
    },
  }
}

async function fetch<O extends Operation>(state: State, request: Request<O>): Promise<Answer<AnswerOf<O>>> {
  const { clock, circuits, askers, unreadItems, words, redactor } = state
  const { source, operation, wire } = request
  const started = clock.now()
  const sent: Sent = { outcomes: [], at: started, clockAhead: undefined }
  const admission = admissionOf(state, request, sent)
  const report = (end: Pick<CallReport, 'code'> & Partial<CallReport>) =>
    state.report({
      ...reportOf(request, sent, end.code),
      seconds: (clock.now().steady - started.steady) / 1_000,
      ...end,
    })
  try {
    // A request that would only wait in line for this error fails at once.
    circuits.check(source, operation.name)
    const { raw, nodeId = source.nodeId } = await askers[source.service](source, operation, wire, admission)
    const { value, unread, dropped, fieldsDropped } = parse(operation, raw, isLaterPage(wire))
    const fresh = unreadItems.fresh(source, `${operation.name} ${wire.path}`, unread)
    words.answered(source, wire.path)
    sent.leave?.(endOf(sent.outcomes))
    const node = nodeId === undefined ? {} : { nodeId }
    const unknown = unknownFields(operation, raw, (state.turn += 1)).map((name) => redactor.shown(name, source))
    report({ code: 'ok', dropped: fresh, fieldsDropped, unknownFields: unknown, ...node })
    return { value, at: sent.at, took: clock.now().steady - sent.at.steady, source: source.name, dropped, ...node }
  } catch (thrown) {
    const error = words.understood(source, wire.path, redactor.redacted(toBaseError(thrown), source))
    sent.leave?.(endOf(sent.outcomes, error))
    report({ code: error.code, reason: error.message, details: error.details })
    throw error
  }
}

function reportOf({ source, operation, wire }: Request, { outcomes, clockAhead }: Sent, code: CallReport['code']) {
  return {
    source,
    operation: operation.name,
    path: wire.path,
    sent: outcomes.map((one, at) => {
      if (at === outcomes.length - 1 && !isUnsentCode(code)) return code
      return one instanceof BaseError ? one.code : 'http_status'
    }),
    limited: outcomes.filter((one) => !(one instanceof BaseError) && one.status === 429).length,
    reason: '',
    ...(outcomes.some(isRefusedConnection) && { wasRefused: true as const }),
    dropped: 0,
    fieldsDropped: 0,
    unknownFields: [],
    ...(clockAhead === undefined ? {} : { clockAhead }),
  }
}

/** The upstream failed, not just the object that was asked for. */
const outages = new Set<ErrorCode>(['network', 'timeout', 'bad_response', 'too_large'])
/** The upstream works, though it may say so with a status from 500 on. */
const works = new Set<ErrorCode>(['not_ready', 'unsupported'])

function endOf(outcomes: Sent['outcomes'], error?: BaseError): End {
  const last = outcomes.at(-1)
  if (!last || error?.code === 'aborted' || error?.code === 'config') return 'unsent'
  const hasRefused = !(last instanceof BaseError) && last.status >= 500
  const isOutage = error && (outages.has(error.code) || (hasRefused && !works.has(error.code)))
  return isOutage ? error : 'answered'
}

function wireOf<O extends Operation>(operation: O, params: Params<O>): Wire {
  try {
    return toWire(operation, params)
  } catch (thrown) {
    throw new BaseError('bug', `wrong parameters for ${operation.name}`, { details: issuesOf(thrown) })
  }
}

/** No network has as many validators: a longer list would cost memory that other answers need. */
const MOST_ITEMS = 150_000

function parse<O extends Operation>(operation: O, raw: unknown, isLater: boolean) {
  const { length } = listIn(operation, raw) ?? []
  if (length > MOST_ITEMS) {
    const message = `the answer lists ${length} ${operation.items}, more than the ${MOST_ITEMS} that are read: is this the right upstream?`
    throw new BaseError('too_large', message)
  }
  try {
    return parseAnswer(operation, raw, isLater)
  } catch (thrown) {
    throw new BaseError('bad_response', 'the answer does not have the documented form', { details: issuesOf(thrown) })
  }
}

/** The first few places that do not fit, without their values. */
function issuesOf(thrown: unknown): string {
  if (!(thrown instanceof z.ZodError)) return String(thrown)
  const places = thrown.issues.slice(0, 3).map(({ path, message }) => `${path.join('.') || 'the whole'}: ${message}`)
  return places.join('; ')
}

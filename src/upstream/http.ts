// HTTP requests by undici, with a total deadline, limits on size, and retries inside the deadline.

import type { LookupFunction } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, errors } from 'undici'
import { toBaseError, BaseError, errorCodes } from '../errors.ts'
import { backoff } from '../lib/backoff.ts'
import { until } from '../lib/until.ts'
import { createBodies, leave } from './body.ts'
import { createLookup, isOfLookup } from './names.ts'
import { waitFor } from './retry-after.ts'

export interface HttpRequest {
  method: 'GET' | 'POST' | 'DELETE'
  /** May hold keys: never printed. */
  url: string
  headers: Readonly<Record<string, string>>
  body?: string
  /** Ends the whole request, retries and body included. */
  signal: AbortSignal
  /** Reading may be repeated; an action must not. */
  retry: boolean
  /** Bytes of a successful answer; a larger one is refused. */
  maxBytes: number
  attempts?: Attempts
}

/** Counts and limits the attempts of a request. */
export interface Attempts {
  /** Whether a further attempt may be sent now. Not called for the first one. */
  mayRetry(): boolean
  /** Called once for each attempt. `wasSent` is false where no connection was made, so that nothing left the machine. */
  ended(outcome: HttpAnswer | BaseError, wasSent: boolean): void
}

export interface HttpAnswer {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
}

export interface Http {
  /** Any status is an answer. Throws BaseError: timeout, aborted, network, bad_response, too_large, config. */
  send(request: HttpRequest): Promise<HttpAnswer>
  close(): Promise<void>
}

export interface HttpOptions {
  userAgent: string
  random: () => number
  /** Milliseconds since the epoch, for dates in Retry-After. */
  now: () => number
  /** Trusted certificate authorities instead of the runtime's (PEM). */
  authorities?: string | undefined
  /** Finds the addresses of a host. */
  lookup?: LookupFunction
}

const ATTEMPTS = 3
const TRY_AGAIN = new Set([429, 500, 502, 503, 504])
/** A longer Retry-After would only use up the deadline (milliseconds). */
const LONGEST_WAIT = 5_000
/** An aborted request leaves its connecting socket behind; this time allows for two lost packets (milliseconds). */
const CONNECT_TIMEOUT = 4_000

/** Errors before there is a connection, other than those of lookups. */
const unconnected = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
])

export function createHttp({ userAgent, random, now, authorities, lookup = createLookup({ now }) }: HttpOptions): Http {
  const agent = new Agent({
    // As many connections as requests in flight, which accounts limit. Several upstreams may share an origin, and a request that
    // queued here would lose time.
    pipelining: 1,
    allowH2: false,
    connect: { timeout: CONNECT_TIMEOUT, lookup, ...(authorities !== undefined && { ca: authorities }) },
    // The signal is the deadline; undici's own timers restart with each chunk.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const bodies = createBodies()

  async function exchange({ method, url, headers, body, signal, maxBytes }: HttpRequest): Promise<HttpAnswer> {
    signal.throwIfAborted()
    const { origin, pathname, search } = new URL(url)
    const answer = await agent.request({
      origin,
      path: `${pathname}${search}`,
      method,
      // A small compressed answer could unpack to any size.
      headers: { ...headers, 'user-agent': userAgent, 'accept-encoding': 'identity' },
      signal,
      ...(body === undefined ? {} : { body }),
    })
    const { statusCode: status, headers: received } = answer
    const isPlain = (received['content-encoding'] ?? 'identity') === 'identity'
    if (isSuccess(status) && isPlain) {
      const text = await bodies.whole(answer.body, received['content-length'], maxBytes)
      return { status, headers: received, text }
    }
    if (isPlain) return { status, headers: received, text: await bodies.start(answer.body) }
    leave(answer.body)
    // The status says what a failure means.
    if (!isSuccess(status)) return { status, headers: received, text: '' }
    throw new BaseError('bad_response', 'the answer is compressed, which was not asked for')
  }

  // undici heeds the signal only once a request has a connection: connecting and queueing must not outlast it either.
  async function attempt(asked: HttpRequest): Promise<HttpAnswer | BaseError> {
    let wasSent = true
    const outcome = await until(asked.signal, exchange(asked)).catch((thrown: unknown) => {
      wasSent =
        !isOfLookup(thrown) && !(thrown instanceof Error && 'code' in thrown && unconnected.has(String(thrown.code)))
      return explain(thrown, asked.signal)
    })
    asked.attempts?.ended(outcome, wasSent)
    return outcome
  }

  async function send(asked: HttpRequest): Promise<HttpAnswer> {
    let before = ''
    for (let tried = 1; ; tried += 1) {
      const outcome = await attempt(asked)
      const pause = tried === ATTEMPTS || !asked.retry ? undefined : pauseAfter(outcome, now())
      const isAgain = pause !== undefined && (await waited(pause + backoff(tried - 1, random), asked.signal))
      if (!isAgain || asked.attempts?.mayRetry() === false) {
        if (!(outcome instanceof BaseError)) return outcome
        if (outcome.code !== 'timeout' || before === '') throw outcome
        throw new BaseError('timeout', errorCodes.timeout, { details: `the attempt before: ${before}` })
      }
      before = outcome instanceof BaseError ? outcome.message : `HTTP ${outcome.status}`
    }
  }

  return { send, close: () => agent.destroy() }
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299
}

/** Whether a node says that a chain has not caught up since it started. */
export function isBootstrapping({ status, text }: Pick<HttpAnswer, 'status' | 'text'>): boolean {
  return status === 503 && text.includes('not done bootstrapping')
}

/** Milliseconds to wait before another attempt; undefined when another makes no sense. */
function pauseAfter(outcome: HttpAnswer | BaseError, now: number): number | undefined {
  if (outcome instanceof BaseError) return outcome.code === 'network' ? 0 : undefined
  // A bootstrapping chain gives the same answer a second later, and for days.
  if (!TRY_AGAIN.has(outcome.status) || isBootstrapping(outcome)) return undefined
  const wanted = waitFor(outcome.headers['retry-after'], now)
  // An upstream that limits us without a Retry-After gets no request until the next regular run.
  if (wanted === undefined) return outcome.status === 429 ? undefined : 0
  return wanted > LONGEST_WAIT ? undefined : wanted
}

/** False when the deadline comes first. */
async function waited(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return wait(milliseconds, true, { signal }).catch(() => false)
}

/** Translates undici's errors. They hold addresses and pieces of answers, so only their kind is kept. */
function explain(thrown: unknown, signal: AbortSignal): BaseError {
  if (signal.aborted) return toBaseError(signal.reason)
  if (thrown instanceof BaseError) return thrown
  if (thrown instanceof errors.HTTPParserError) {
    return new BaseError('bad_response', 'the answer is not HTTP: are the port and http or https right?')
  }
  if (thrown instanceof errors.ClientDestroyedError) return new BaseError('aborted', 'stakewatch is stopping')
  if (thrown instanceof errors.InvalidArgumentError) {
    return new BaseError('config', 'the request cannot be sent: is the key or the name of its header malformed?')
  }
  if (isOfLookup(thrown)) {
    return new BaseError('network', `the host name cannot be looked up (${thrown.code})`)
  }
  if (thrown instanceof Error && 'code' in thrown) {
    return new BaseError('network', `the connection failed (${String(thrown.code)})`)
  }
  return toBaseError(thrown)
}

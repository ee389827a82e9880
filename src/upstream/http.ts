// The one door to the network: undici with a total deadline, a size cap, connection limits, and retries inside the deadline.

import { setTimeout as wait } from 'node:timers/promises'
import { Agent, errors, request } from 'undici'
import { asBaseError, BaseError } from '../errors.ts'
import { backoff } from '../lib/backoff.ts'

interface HttpRequest {
  method: 'GET' | 'POST'
  /** Holds keys at times: never printed. */
  url: string
  headers: Readonly<Record<string, string>>
  body?: string
  /** Ends the whole request, retries and body included. */
  signal: AbortSignal
  /** Reading may be repeated; an action must not. */
  retry: boolean
}

export interface HttpAnswer {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
}

export interface Http {
  /** Any status is an answer. Throws BaseError: timeout, aborted, network, bad_response (too large). */
  send(request: HttpRequest): Promise<HttpAnswer>
  close(): Promise<void>
}

export interface HttpOptions {
  userAgent: string
  random: () => number
  /** Bytes of a body; more is refused. */
  maxBytes?: number
}

const MAX_BYTES = 64 * 1024 * 1024
const CONNECTIONS = 8
const ATTEMPTS = 3
const TRY_AGAIN = new Set([429, 500, 502, 503, 504])

export function createHttp({ userAgent, random, maxBytes = MAX_BYTES }: HttpOptions): Http {
  const agent = new Agent({
    connections: CONNECTIONS,
    pipelining: 1,
    maxResponseSize: maxBytes,
    // The signal is the deadline; undici's own timers would only end a request earlier than asked for.
    headersTimeout: 0,
    bodyTimeout: 0,
    connectTimeout: 0,
  })

  async function attempt({ method, url, headers, body, signal }: HttpRequest): Promise<HttpAnswer> {
    const answer = await request(url, {
      dispatcher: agent,
      method,
      headers: { ...headers, 'user-agent': userAgent },
      signal,
      ...(body === undefined ? {} : { body }),
    })
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
  }

  async function send(asked: HttpRequest): Promise<HttpAnswer> {
    for (let tried = 1; ; tried += 1) {
      const last = tried === ATTEMPTS || !asked.retry
      let delay = backoff(tried - 1, random)
      try {
        const answer = await attempt(asked)
        if (last || !TRY_AGAIN.has(answer.status)) return answer
        const after = retryAfter(answer)
        // Waiting longer than this would only use up the deadline; the next regular run comes soon enough.
        if (after > 5_000) return answer
        delay += after
      } catch (thrown) {
        const error = explain(thrown, asked.signal, maxBytes)
        if (last || error.code !== 'network') throw error
      }
      await wait(delay, undefined, { signal: asked.signal }).catch((thrown: unknown) => {
        throw explain(thrown, asked.signal, maxBytes)
      })
    }
  }

  return { send, close: () => agent.destroy() }
}

/** Milliseconds that the upstream asks to wait, given in seconds (a date is not honoured: clocks differ). */
function retryAfter({ headers }: HttpAnswer): number {
  const seconds = Number(headers['retry-after'])
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 0
}

/** undici's errors in our terms. Their messages can hold addresses, so only the code of the cause is kept. */
function explain(thrown: unknown, signal: AbortSignal, maxBytes: number): BaseError {
  if (signal.aborted) return asBaseError(signal.reason)
  if (thrown instanceof errors.ResponseExceededMaxSizeError) {
    return new BaseError('bad_response', `the answer is larger than ${maxBytes} bytes`)
  }
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown'
  return new BaseError('network', `the connection failed (${code})`, { cause: thrown })
}

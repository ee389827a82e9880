// HTTP requests by undici, with a total deadline, limits on size, and retries inside the deadline.

import { setTimeout as wait } from 'node:timers/promises'
import { BaseError } from '../errors.ts'
import type { Secret } from '../lib/secret.ts'
import { until } from '../lib/until.ts'
import { createDispatchers, type Dispatchers, type DispatchersOptions, type Link } from './dispatchers.ts'
import { aboutProxy, explain, isProxyRefusal, isUnsent } from './failures.ts'
import { createLookup, type Lookup } from './lookup.ts'
import { waitFor } from './headers.ts'
import type { Readable } from 'node:stream'
import { createBounds } from './bounds.ts'

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
  /** Default: as the environment says. */
  link?: Link
}

/** Counts and limits the attempts of a request. */
export interface Attempts {
  /** Whether a further attempt may be sent now. Not called for the first one. */
  mayRetry(): boolean
  /** Called once for each attempt. `wasSent` is false where the request certainly did not leave the machine. */
  ended(outcome: HttpAnswer | BaseError, wasSent: boolean): void
}

export interface HttpAnswer {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
  /** The proxy that passed this on, and that may have answered in place of the upstream. */
  proxy?: Secret | undefined
}

export interface Http {
  /** Any status is an answer. Throws BaseError: timeout, aborted, network, bad_response, too_large, config. */
  send(request: HttpRequest): Promise<HttpAnswer>
  close(): Promise<void>
}

export interface HttpOptions extends Omit<DispatchersOptions, 'network'> {
  userAgent: string
  random: () => number
  /** Milliseconds since the epoch, for dates in Retry-After. */
  now: () => number
  lookup?: Lookup
}

/** With the connection that it takes. */
type Linked = Omit<HttpRequest, 'link'> & { link: ReturnType<Dispatchers['of']> }

const ATTEMPTS = 3
const TRY_AGAIN = new Set([429, 500, 502, 503, 504])
/** A longer Retry-After would only use up the deadline (milliseconds). */
const LONGEST_WAIT = 5_000

export function createHttp({
  userAgent,
  random,
  now,
  lookup = createLookup({ now }),
  ...links
}: HttpOptions): Http & Pick<Dispatchers, 'keep'> {
  const dispatchers = createDispatchers({ ...links, network: { lookup } })
  const bodies = createBodyReader()

  async function exchange({ method, url, headers, body, signal, maxBytes, link }: Linked): Promise<HttpAnswer> {
    signal.throwIfAborted()
    const { origin, pathname, search, protocol } = new URL(url)
    const answer = await link.dispatcher.request({
      origin,
      path: `${pathname}${search}`,
      method,
      // A small compressed answer could unpack to any size.
      headers: { ...headers, 'user-agent': userAgent, 'accept-encoding': 'identity' },
      signal,
      ...(body === undefined ? {} : { body }),
    })
    const { statusCode: status, headers: received } = answer
    // Through a tunnel only the upstream answers.
    const meta = { status, headers: received, ...(link.proxy && protocol === 'http:' && { proxy: link.proxy }) }
    const isPlain = (received['content-encoding'] ?? 'identity') === 'identity'
    if (isSuccess(status) && isPlain) {
      return { ...meta, text: await bodies.whole(answer.body, received['content-length'], maxBytes) }
    }
    if (isPlain) return { ...meta, text: await bodies.start(answer.body) }
    leave(answer.body)
    // The status says what a failure means.
    if (!isSuccess(status)) return { ...meta, text: '' }
    throw new BaseError('bad_response', 'the answer is compressed, which was not asked for')
  }

  // undici heeds the signal only once a request has a connection: connecting and queueing must not outlast it either.
  async function attempt(asked: HttpRequest): Promise<HttpAnswer | BaseError> {
    let wasSent = true
    const link = dispatchers.of(asked.url, asked.link ?? {})
    const outcome = await until(asked.signal, exchange({ ...asked, link })).catch((error: unknown) => {
      const thrown = aboutProxy(error, link.proxy)
      wasSent = !isUnsent(thrown)
      return explain(thrown, { signal: asked.signal, isTls: /^https:/i.test(asked.url), proxy: link.proxy })
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
        throw new BaseError('timeout', outcome.message, { details: `the attempt before: ${before}` })
      }
      before = outcome instanceof BaseError ? outcome.message : `HTTP ${outcome.status}`
    }
  }

  return { send, keep: dispatchers.keep, close: dispatchers.close }
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
  if (outcome instanceof BaseError) return outcome.code === 'network' && !isProxyRefusal(outcome) ? 0 : undefined
  // A bootstrapping chain gives the same answer a second later, and for days.
  if (!TRY_AGAIN.has(outcome.status) || isBootstrapping(outcome)) return undefined
  const wanted = waitFor(outcome.headers, now)
  // An upstream that limits us without a Retry-After gets no request until the next regular run.
  if (wanted === undefined) return outcome.status === 429 ? undefined : 0
  return wanted > LONGEST_WAIT ? undefined : wanted
}

/** False when the deadline comes first. */
async function waited(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return wait(milliseconds, true, { signal }).catch(() => false)
}

/** Full jitter: anywhere between zero and a ceiling that doubles with each attempt (0, 1, 2, ...). Milliseconds. */
export function backoff(attempt: number, random: () => number): number {
  return random() * Math.min(200 * 2 ** attempt, 5_000)
}

/** Bytes of an error's body that are read: it explains itself in the first lines. */
const MAX_FAILURE = 64 * 1024
/** Bytes of all bodies in progress. */
const MAX_TOGETHER = 256 * 1024 * 1024

interface Reading {
  bytes: number
  giveUp: (reason: BaseError) => void
}

/** Reads bodies within bounds on each of them and on all together. */
export function createBodyReader() {
  const readings = new Set<Reading>()
  let together = 0

  /** Gives up the largest body, as the least expected one. */
  function makeRoom(): void {
    const [largest] = [...readings].toSorted((a, b) => b.bytes - a.bytes)
    largest!.giveUp(new BaseError('too_large', `the answers being read are larger than ${MAX_TOGETHER} bytes together`))
  }

  async function read(body: Readable, most: number, beyond: 'refuse' | 'leave'): Promise<string> {
    const pieces: Buffer[] = []
    const check = createBounds(most)
    const reading: Reading = { bytes: 0, giveUp: (reason) => body.destroy(reason) }
    readings.add(reading)
    try {
      for await (const piece of body as AsyncIterable<Buffer>) {
        reading.bytes += piece.length
        together += piece.length
        pieces.push(piece)
        if (reading.bytes > most && beyond === 'leave') break
        if (reading.bytes > most) throw tooLarge(most)
        if (beyond === 'refuse') check(piece)
        if (together > MAX_TOGETHER) makeRoom()
      }
    } finally {
      readings.delete(reading)
      together -= reading.bytes
    }
    return new TextDecoder().decode(Buffer.concat(pieces, Math.min(reading.bytes, most)))
  }

  return {
    /** Returns the whole body as text. Throws too_large beyond `maxBytes`, and where bounds.ts refuses it. */
    async whole(body: Readable, announced: unknown, maxBytes: number): Promise<string> {
      if (Number(announced) > maxBytes) {
        leave(body)
        throw tooLarge(maxBytes)
      }
      return read(body, maxBytes, 'refuse')
    },
    /** Returns the start of an error's body; the rest is not read. One that breaks off is empty: the status says enough. */
    start: (body: Readable): Promise<string> => read(body, MAX_FAILURE, 'leave').catch(() => ''),
  }
}

/** Closes the connection without reading the rest. */
export function leave(body: Readable): void {
  body.on('error', () => {})
  body.destroy()
}

function tooLarge(maxBytes: number): BaseError {
  return new BaseError('too_large', `the answer is larger than ${maxBytes} bytes`)
}

// Whom a run asks: its sources in order, until one answers; and how old the answers are that it got.

import type { Answered, Ask, Run } from '../collectors/define.ts'
import { asBaseError, BaseError, type ErrorCode } from '../errors.ts'
import { type Clock, earliest, later, type Moment, NEVER } from '../lib/clock.ts'
import { parseDuration } from '../lib/duration.ts'
import { following } from '../lib/following.ts'
import type { Answer, Operation, Params, Service } from '../operations/define.ts'
import type { Pass } from '../upstream/payment.ts'
import type { CallOptions, Client } from '../upstream/client.ts'
import { MAX_PAGES, pages } from '../upstream/page-tokens.ts'
import type { Source } from '../upstream/source.ts'

export interface AskedSources extends Ask<Operation> {
  attempt: Run<Operation, unknown, unknown>['attempt']
  flawed: Run<Operation, unknown, unknown>['flawed']
  /** Why the run is a failure though it returned: the first part that failed. */
  flaw(): BaseError | undefined
  /** Why there is nothing: all that was asked was attempted, and no upstream supports any of it. */
  nothing(): BaseError | undefined
  /** Sources that failed to answer anything. */
  failing(): readonly Source[]
  /** What the run asked by itself, outside of attempts. */
  answered: Readonly<Answered>
  /** Names of the sources that answered. */
  sources(): string
  /** The one of the service that answered last. */
  latest(service: Service): Source
}

/** What bounds a call. */
type Limits = Pick<CallOptions, 'signal' | 'patience' | 'pass'>

const none = (): Answered => ({ oldest: NEVER, acceptedUntil: NEVER })

/** What a source that is down fails with. */
const outages = new Set<ErrorCode>(['network', 'timeout', 'http_status', 'bad_response', 'too_large', 'circuit_open'])

/** Of several, the worst. */
export function oldestOf(some: readonly Answered[]): Answered {
  return {
    oldest: earliest(some.map(({ oldest }) => oldest)),
    acceptedUntil: earliest(some.map(({ acceptedUntil }) => acceptedUntil)),
  }
}

function isAnswer({ code }: BaseError): boolean {
  return code === 'rpc_error' || code === 'not_found'
}

export interface Asking {
  /** Ends the run. */
  signal: AbortSignal
  /** Ends the waiting for requests to be sent. */
  patience: AbortSignal
  /** When the run has to end, on the steady clock. */
  endsAt: number
  clock: Clock
  /** Milliseconds that our clock is ahead of the upstreams': an answer came when they say. */
  clockAhead: () => number
  pass?: Pass | undefined
}

/** The sources of one run: the first that answers is asked first from then on. */
export function askSources(client: Client, sources: readonly Source[], asking: Asking): AskedSources {
  const { signal, patience, endsAt, clock, clockAhead, pass } = asking
  let order = [...sources]
  let flaw: BaseError | undefined
  let unsupported: BaseError | undefined
  const answering = new Set<string>()
  const failing = new Set<Source>()
  const pagesRead = new Map<string, number>()

  /** A source that hangs leaves the others their part of the time. */
  async function within<T>(sourcesLeft: number, ask: (limits: Limits) => Promise<T>): Promise<T> {
    if (sourcesLeft === 1) return ask({ signal, patience, pass })
    const slice = clock.deadline(Math.ceil(Math.max(0, endsAt - clock.now().steady) / sourcesLeft))
    const [end, waiting] = [following(signal, slice), following(patience, slice)]
    try {
      return await ask({ signal: end.signal, patience: waiting.signal, pass })
    } finally {
      end.release()
      waiting.release()
    }
  }

  async function firstThatAnswers<T>(
    operation: Operation,
    ask: (source: Source, limits: Limits) => Promise<Answer<T>>,
  ): Promise<{ answer: Answer<T>; source: Source }> {
    let failure: BaseError | undefined
    const candidates = order.filter(({ service }) => service === operation.service)
    for (const [at, source] of candidates.entries()) {
      try {
        const answer = await within(candidates.length - at, (limits) => ask(source, limits))
        answering.add(answer.source)
        order = [source, ...order.filter((other) => other !== source)]
        return { answer, source }
      } catch (thrown) {
        const error = asBaseError(thrown)
        if (outages.has(error.code)) failing.add(source)
        signal.throwIfAborted()
        // A source that failed might have had what another one does not support; an error in an answer says more than none.
        if (!failure || failure.code === 'unsupported' || isAnswer(error)) failure = error
      }
    }
    throw failure ?? new BaseError('unsupported', `no ${operation.service} service is configured`)
  }

  function countPage(operation: string): void {
    const read = (pagesRead.get(operation) ?? 0) + 1
    pagesRead.set(operation, read)
    if (read > MAX_PAGES) throw new BaseError('too_large', `the lists of one run have more than ${MAX_PAGES} pages`)
  }

  function askingFor(answered: Answered): Ask<Operation> {
    function note<T>(answer: Answer<T>, maxAge = 0): Answer<T> {
      noteAge(answer.at, maxAge)
      const { wall, steady } = answer.at
      return { ...answer, at: { wall: wall - clockAhead(), steady } }
    }
    function noteAge(at: Moment, maxAge = 0): void {
      answered.oldest = earliest([answered.oldest, at])
      answered.acceptedUntil = earliest([answered.acceptedUntil, later(at, maxAge)])
    }
    /** A refusal tells something as well, and what it tells is no younger than the question. */
    async function noting<T>(asked: Promise<T>): Promise<T> {
      const began = clock.now()
      return asked.catch((thrown: unknown) => {
        noteAge(began)
        throw thrown
      })
    }
    return {
      async call(operation, params, how) {
        const maxAge = how?.maxAge === undefined ? undefined : parseDuration(how.maxAge)!
        const ask = (source: Source, limits: Limits) => client.call(source, operation, params, { ...limits, maxAge })
        return note((await noting(firstThatAnswers(operation, ask))).answer, maxAge)
      },
      pages<T extends Operation>(operation: T, params: Params<T>) {
        // A page token means something only to the source that gave it.
        let chosen: Source | undefined
        const ask = (source: Source, limits: Limits, pageToken?: string) =>
          client.call(source, operation, pageToken === undefined ? params : { ...params, pageToken }, limits)
        const next = async (pageToken: string | undefined) => {
          countPage(operation.name)
          if (chosen) return note(await noting(ask(chosen, { signal, patience, pass }, pageToken)))
          const { answer, source } = await noting(firstThatAnswers(operation, (one, limits) => ask(one, limits)))
          chosen = source
          return note(answer)
        }
        return pages(next, undefined, operation.items)
      },
    }
  }

  const answered = none()
  function flawed(reason: BaseError): void {
    flaw ??= reason
  }
  return {
    ...askingFor(answered),
    answered,
    async attempt(work) {
      const own = none()
      try {
        return { state: 'known', value: await work(askingFor(own)), answered: own }
      } catch (thrown) {
        signal.throwIfAborted()
        const error = asBaseError(thrown)
        if (error.code !== 'unsupported') {
          flawed(error)
          return { state: 'failed', value: undefined }
        }
        unsupported ??= error
        return { state: 'unsupported', value: undefined }
      }
    },
    flawed,
    flaw: () => flaw,
    nothing: () => (answering.size === 0 ? unsupported : undefined),
    failing: () => [...failing],
    sources: () => [...answering].join(','),
    latest: (service) => order.find((source) => source.service === service)!,
  }
}

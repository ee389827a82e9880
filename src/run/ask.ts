// The sources of a run: it asks them in order until one answers, and notes how old its answers are.

import type { Answered, Ask, Attempt } from '../collectors/define.ts'
import { toBaseError, BaseError, type ErrorCode } from '../errors.ts'
import { type Clock, earliest, later, type Moment, NEVER } from '../lib/clock.ts'
import { parseDuration } from '../lib/duration.ts'
import type { Answer, Operation, Params, Service } from '../operations/define.ts'
import type { Allotment } from '../upstream/request-budget.ts'
import type { CallOptions, Client } from '../upstream/client.ts'
import { MAX_PAGES, pages } from '../upstream/page-tokens.ts'
import type { Source } from '../upstream/source.ts'

export type RunCalls = ReturnType<typeof createRunCalls>

type Limits = Pick<CallOptions, 'signal' | 'patience' | 'allotment'>

const none = (): Answered => ({ oldest: NEVER, acceptedUntil: NEVER })

/** Codes of a source that is down. */
const outages = new Set<ErrorCode>(['network', 'timeout', 'http_status', 'bad_response', 'too_large', 'circuit_open'])

/** The worst of several. */
export function oldestOf(some: readonly Answered[]): Answered {
  return {
    oldest: earliest(some.map(({ oldest }) => oldest)),
    acceptedUntil: earliest(some.map(({ acceptedUntil }) => acceptedUntil)),
  }
}

function isAnswer({ code }: BaseError): boolean {
  return code === 'rpc_error' || code === 'not_found'
}

/** For a later page: the source that had the first one does not lack the list. */
function brokenOff(thrown: unknown): never {
  throw asFailure(toBaseError(thrown))
}

const asFailure = (error: BaseError): BaseError =>
  error.code === 'unsupported' ? new BaseError('http_status', error.message, { details: error.details }) : error

export interface Asking {
  /** Ends the run. */
  signal: AbortSignal
  /** Ends the waiting for requests to be sent. */
  patience: AbortSignal
  /** When the run has to end, on the steady clock. */
  endsAt: number
  clock: Clock
  /** A time of our wall clock as the upstreams have it: an answer came when they say. */
  toUpstreamTime: (wall: number) => number
  allotment?: Allotment | undefined
}

interface State extends Asking {
  client: Client
  /** The source that answered last comes first. */
  order: readonly Source[]
  flaw?: BaseError | undefined
  unsupported?: BaseError | undefined
  /** Of the error of a part: the source that answered last. */
  authors: WeakMap<BaseError, Source>
  /** Operations with an answer, and errors that say that there is none of one of these. */
  had: Set<string>
  contradicted: WeakSet<BaseError>
  answering: Set<string>
  failing: Set<Source>
  pagesRead: Map<string, number>
}

/** The sources of one run: the first that answers is asked first from then on. */
export function createRunCalls(client: Client, sources: readonly Source[], asking: Asking) {
  const state: State = {
    ...asking,
    client,
    order: sources,
    authors: new WeakMap(),
    had: new Set(),
    contradicted: new WeakSet(),
    answering: new Set(),
    failing: new Set(),
    pagesRead: new Map(),
  }
  const answered = none()
  const latest = (service: Service): Source =>
    state.order.find((source) => source.service === service && state.answering.has(source.name)) ?? state.order[0]!
  return {
    ...askingFor(state, answered),
    /** Ages of the answers that the run got outside of attempts. */
    answered: answered as Readonly<Answered>,
    attempt: <T>(work: (ask: Ask<Operation>) => Promise<T>) => attempt(state, work),
    flawed: (reason: BaseError) => void (state.flaw ??= reason),
    /** Why the run is a failure though it returned: the first part that failed. */
    flaw: () => state.flaw,
    /** Why there is no answer at all: no upstream supports any of what was attempted. */
    unsupported: () => (state.answering.size === 0 ? state.unsupported : undefined),
    /** What ended the run, as a failure if the upstream lacks only one of several things of the kind. */
    endedBy: (error: BaseError) => (state.contradicted.has(error) ? asFailure(error) : error),
    /** Sources with a failed request. */
    failing: (): readonly Source[] => [...state.failing],
    /** Names of the sources that answered. */
    sources: () => [...state.answering].join(','),
    /** The source of the service that answered last, or of another one where none of the service did. */
    latest,
    /** Whose answer the error is about. */
    authorOf: (error: BaseError, service: Service) => state.authors.get(error) ?? latest(service),
  }
}

async function attempt<T>(state: State, work: (ask: Ask<Operation>) => Promise<T>): Promise<Attempt<T>> {
  const answered = none()
  try {
    return { state: 'known', value: await work(askingFor(state, answered)), answered }
  } catch (thrown) {
    state.signal.throwIfAborted()
    const error = toBaseError(thrown)
    if (error.code === 'unsupported') {
      state.unsupported ??= error
      return { state: 'unsupported', value: undefined }
    }
    state.authors.set(error, state.order[0]!)
    state.flaw ??= error
    return { state: 'failed', value: undefined }
  }
}

/** Gives each of the sources left its part of the time, so that one that hangs does not use up all of it. */
async function within<T>(
  { signal, patience, allotment, clock, endsAt }: State,
  sourcesLeft: number,
  ask: (limits: Limits) => Promise<T>,
): Promise<T> {
  if (sourcesLeft === 1) return ask({ signal, patience, allotment })
  const slice = clock.deadline(Math.ceil(Math.max(0, endsAt - clock.now().steady) / sourcesLeft))
  const [end, waiting] = [following(signal, slice), following(patience, slice)]
  try {
    return await ask({ signal: end.signal, patience: waiting.signal, allotment })
  } finally {
    end.release()
    waiting.release()
  }
}

function failureOf({ failing }: State, source: Source, thrown: unknown): BaseError {
  const error = toBaseError(thrown)
  if (outages.has(error.code)) failing.add(source)
  return error
}

async function firstThatAnswers<T>(
  state: State,
  { service, name }: Operation,
  ask: (source: Source, limits: Limits) => Promise<Answer<T>>,
): Promise<{ answer: Answer<T>; source: Source }> {
  let failure: BaseError | undefined
  const candidates = state.order.filter((source) => source.service === service)
  for (const [at, source] of candidates.entries()) {
    try {
      const answer = await within(state, candidates.length - at, (limits) => ask(source, limits))
      state.answering.add(answer.source)
      state.had.add(name)
      state.order = [source, ...state.order.filter((other) => other !== source)]
      return { answer, source }
    } catch (thrown) {
      const error = failureOf(state, source, thrown)
      state.signal.throwIfAborted()
      // A source that failed might have had what another does not support, and an error in an answer says more than an outage.
      if (!failure || failure.code === 'unsupported' || isAnswer(error)) failure = error
    }
  }
  if (failure && state.had.has(name)) state.contradicted.add(failure)
  throw failure ?? new BaseError('unsupported', `no ${service} service is configured`)
}

/** Calls that note in `answered` how old their answers are. */
function askingFor(state: State, answered: Answered): Ask<Operation> {
  const { client, clock, toUpstreamTime, signal, patience, allotment, pagesRead } = state
  function noteAge(at: Moment, maxAge = 0): void {
    answered.oldest = earliest([answered.oldest, at])
    answered.acceptedUntil = earliest([answered.acceptedUntil, later(at, maxAge)])
  }
  function note<T>(answer: Answer<T>, maxAge?: number): Answer<T> {
    noteAge(answer.at, maxAge)
    const { wall, steady } = answer.at
    return { ...answer, at: { wall: toUpstreamTime(wall), steady } }
  }
  /** A failure is information as well, and it is no younger than the question. */
  async function noting<T>(asked: Promise<T>, source?: Source): Promise<T> {
    const began = clock.now()
    return asked.catch((thrown: unknown) => {
      noteAge(began)
      throw source ? failureOf(state, source, thrown) : thrown
    })
  }
  return {
    async call(operation, params, how) {
      const maxAge = how?.maxAge === undefined ? undefined : parseDuration(how.maxAge)!
      const ask = (source: Source, limits: Limits) => client.call(source, operation, params, { ...limits, maxAge })
      return note((await noting(firstThatAnswers(state, operation, ask))).answer, maxAge)
    },
    pages<T extends Operation>(operation: T, params: Params<T>) {
      // A page token means something only to the source that gave it.
      let chosen: Source | undefined
      const ask = (source: Source, limits: Limits, pageToken?: string) =>
        client.call(source, operation, pageToken === undefined ? params : { ...params, pageToken }, limits)
      const next = async (pageToken: string | undefined) => {
        const read = (pagesRead.get(operation.name) ?? 0) + 1
        pagesRead.set(operation.name, read)
        if (read > MAX_PAGES) throw new BaseError('too_large', `the lists of one run have more than ${MAX_PAGES} pages`)
        if (chosen) {
          const limits = { signal, patience, allotment }
          return note(await noting(ask(chosen, limits, pageToken).catch(brokenOff), chosen))
        }
        const { answer, source } = await noting(firstThatAnswers(state, operation, ask))
        chosen = source
        return note(answer)
      }
      return pages(next, undefined, operation.items)
    },
  }
}

// Combines several signals into one that can be released.

export interface Following {
  /** Aborts with the first of the signals that it follows. */
  signal: AbortSignal
  /** Stops following all of them. */
  release(): void
}

/**
 * Must be released when the work is over. AbortSignal.any cannot be: it keeps each deadline with its timer until the
 * time is up, long after the work has ended.
 */
export function following(...signals: readonly AbortSignal[]): Following {
  const controller = new AbortController()
  const release = () => {
    for (const signal of signals) signal.removeEventListener('abort', follow)
  }
  function follow(this: AbortSignal): void {
    release()
    controller.abort(this.reason)
  }
  const over = signals.find(({ aborted }) => aborted)
  if (over) controller.abort(over.reason)
  else for (const signal of signals) signal.addEventListener('abort', follow)
  return { signal: controller.signal, release }
}

// The contract of a collector: data about itself and one function from answers to samples.

import type { z } from 'zod'
import type { Facts, Network } from '../config/schema.ts'
import type { BaseError } from '../errors.ts'
import type { Moment } from '../lib/clock.ts'
import type { Judged } from '../judgements/expectations.ts'
import type { Metric, Sample, Scalar } from '../metrics/define.ts'
import type { Answer, AnswerOf, Operation, Params } from '../operations/define.ts'

/** The part of a network that belongs to its P-Chain: all subnets, validators and nodes. */
export const NETWORK = 'network'

/** What one run polls: something that the configuration names. */
export interface Subject {
  /** Label `target`, and part of the task's key. */
  name: string
  /** What the name stands for: nothing that is remembered of another one counts. Default: the name itself. */
  id?: string
  /** Identity labels that hold for all samples of the run. */
  labels: Readonly<Record<string, string>>
}

/** What an ordinary run costs: `check` reports it without sending a request. */
interface Estimate {
  /** A page is a call. */
  calls: readonly { operation: Operation; times: number }[]
  series: number
}

interface Collector<O extends Operation, Mem, S extends Subject> {
  name: string
  about: string
  /** How often, unless the configuration says otherwise. */
  every: string
  /** All operations that it may call; it observes the service of uses[0]. */
  uses: readonly O[]
  /** `each`: an opinion, one run per source. `any`, the default: a fact, one run, answered by the first source that can. */
  observer: 'each' | 'any'
  /** Which nodes have an opinion of the subject; default: every node. */
  isObserver?(node: Network['nodes'][number], subject: S): boolean
  /** Alerts that page depend on it: polled first, and slowed down last, where the upstream does not allow all requests. */
  isEssential?: true
  /** A late result costs money: polled before essential collectors, with a reserved part of each configured budget. */
  isReserved?: true
  /** Whether a page about money in a wallet waits for the subject: polled before all else, with a reserved part as well. */
  isFirst?(subject: S): boolean
  /** Off unless the configuration turns it on: expensive, deprecated or rarely needed. */
  isOptIn?: true
  /** An opt-in collector runs by default in these networks, which have no other source of its data. */
  isNeeded?(network: Network): boolean
  metrics: readonly Metric[]
  /** Schema of what it remembers between runs. */
  memory?: z.ZodType<Mem>
  /** From the configuration only, never from an answer. */
  subjects(network: Network): readonly S[]
  /**
   * The part of the network to which a run belongs; one shard has each part (src/scheduler/shard.ts). Runs that ask an
   * upstream the same have to be in the same part. Default: from the labels of the subject.
   */
  partOf?(subject: S): string
  estimate(subject: S): Estimate
  collect(run: Run<O, Mem, S>): Promise<Collected<Mem>>
}

interface Collected<Mem> {
  /**
   * From the run's own calls, outside of attempts. Tracked objects come first: with too many series the last are
   * dropped.
   */
  samples: readonly Sample[]
  /** Samples made from attempts too. A part that a run no longer names disappears. */
  parts?: readonly Part[]
  memory?: Mem
  /** Declared expectations that can be judged: one series each, and a line of `check --live`. */
  expectations?: readonly Expectation[]
  /** Why this answer is rejected: memory is saved, what was published before stays, and the run fails. */
  refused?: BaseError
}

/**
 * Samples with their own age: that of the run's answers and of the attempts that they are made from. If one of those
 * failed, the samples are ignored, and what this part published before stays until it expires.
 */
export interface Part {
  /** Unique within the run. */
  name: string
  of: readonly Attempt<unknown>[]
  samples: readonly Sample[]
}

/** Result of a part of a run that may fail alone. */
export type Attempt<T> =
  | { state: 'known'; value: T; answered: Answered }
  /** Its error makes the run a failure. */
  | { state: 'failed'; value: undefined }
  /** Definitely absent. The run succeeds. */
  | { state: 'unsupported'; value: undefined }

export const FAILED: Attempt<never> = { state: 'failed', value: undefined }

/** The age of answers. */
export interface Answered {
  /** When the oldest was asked for; NEVER if nothing was asked. */
  oldest: Moment
  /** Until when all of them are as young as the caller accepts. */
  acceptedUntil: Moment
}

/** Left out if it cannot be judged. */
export interface Expectation extends Judged {
  metric: Scalar<'expectation'>
  /** Identity labels beyond those of the task. */
  labels: Readonly<Record<string, string>>
}

/** Without labels: expectations of the task's own subject. */
export function asExpectations(
  metric: Expectation['metric'],
  judged: readonly Judged[],
  labels: Expectation['labels'] = {},
): Expectation[] {
  return judged.map((one) => ({ metric, labels, ...one }))
}

/** Deadline, signal and source are bound inside. Every call may throw BaseError: let it, the runner handles it. */
export interface Ask<O extends Operation> {
  /**
   * An operation that the upstream does not support is asked again once an hour; with a `maxAge` of 0s at every run. A
   * longer `maxAge` accepts an answer of that age.
   */
  call<T extends O>(operation: T, params: Params<T>, how?: { maxAge?: string }): Promise<Answer<AnswerOf<T>>>
  pages<T extends O>(operation: T, params: Params<T>): AsyncIterable<Answer<AnswerOf<T>>>
}

export interface Run<O extends Operation, Mem, S> extends Ask<O> {
  /** Everything that a run needs of its subject: other parts of the configuration do not concern it. */
  subject: S
  network: Facts
  memory: Mem | undefined
  /** Whole milliseconds since the epoch when the run began. */
  now: number
  /**
   * When the machine of the source last began to refuse connections, as nothing listened there: milliseconds since the epoch.
   * Undefined if this process has not seen it.
   */
  refusedAt(): number | undefined
  /** For what may fail alone. It calls through `ask`, so that only the parts made from it have its age. */
  attempt<T>(work: (ask: Ask<O>) => Promise<T>): Promise<Attempt<T>>
  /** The run counts as a failure for this reason, though its samples are published. */
  flawed(reason: BaseError): void
}

export type AnyCollector = Collector<Operation, unknown, Subject>

type Defined<O extends Operation, Mem, S extends Subject> = Omit<Collector<O, Mem, S>, 'observer' | 'estimate'> & {
  observer?: 'each' | 'any'
  /** Default of `calls`: each operation once. */
  estimate(subject: S): Pick<Estimate, 'series'> & { calls?: readonly (Operation | Estimate['calls'][number])[] }
}

/** Checks the types of a collector and lets the runner treat all of them alike. */
export function defineCollector<O extends Operation, S extends Subject, Mem = never>(
  collector: Defined<O, Mem, S>,
): AnyCollector {
  return {
    observer: 'any',
    ...collector,
    estimate(subject: S) {
      const { calls = collector.uses, series } = collector.estimate(subject)
      return { calls: calls.map((one) => ('operation' in one ? one : { operation: one, times: 1 })), series }
    },
  }
}

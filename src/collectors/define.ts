// What a collector is: data about itself and one function from answers to samples.

import type { z } from 'zod'
import type { Facts, Network } from '../config/schema.ts'
import type { BaseError } from '../errors.ts'
import type { Moment } from '../lib/clock.ts'
import type { Judged } from '../judgements/expectations.ts'
import type { Metric, Sample, Scalar } from '../metrics/define.ts'
import type { Answer, AnswerOf, Operation, Params } from '../operations/define.ts'

/** The part of a network that is its P-Chain: all subnets, validators and nodes belong to it. */
export const NETWORK = 'network'

/** What one run looks at: something the configuration names. */
export interface Subject {
  /** Label `target`, and part of the task's key. */
  name: string
  /** Identity labels that hold for all samples of the run. */
  labels: Readonly<Record<string, string>>
}

/** What an ordinary run does: for `check`, which tells it before anything is asked. */
interface Estimate {
  /** A page is a call. */
  calls: readonly { operation: Operation; times: number }[]
  series: number
}

export interface Collector<O extends Operation, Mem, S extends Subject> {
  name: string
  about: string
  /** How often, unless the configuration says otherwise. */
  every: string
  /** All it may call; uses[0]'s service is the one that is observed. */
  uses: readonly O[]
  /** `each`: an opinion, one run per source. `any`: a fact, one run, the first source that answers. */
  observer: 'each' | 'any'
  /** Whose opinion of the subject is asked for; default: that of every node. */
  isObserver?(node: Network['nodes'][number], subject: S): boolean
  /** What wakes somebody: asked first, and slowed down last, where the upstream does not allow all that is wanted. */
  isEssential?: true
  /** What costs money when it is seen late: before what is essential, with a part of each configured budget reserved. */
  isReserved?: true
  /** Off unless the configuration turns it on: expensive, deprecated or rarely needed. */
  isOptIn?: true
  /** An opt-in collector runs by default in these networks: no other one tells what it tells. */
  isNeeded?(network: Network): boolean
  metrics: readonly Metric[]
  /** Form of what it remembers between runs. */
  memory?: z.ZodType<Mem>
  /** From configuration only, never from an answer. */
  subjects(network: Network): readonly S[]
  /**
   * The part of the network to which a run belongs, of which one shard has the whole (src/scheduler/shard.ts). Runs that
   * ask an upstream the same have to be in the same part. Default: what the labels of the subject tell.
   */
  partOf?(subject: S): string
  estimate(subject: S): Estimate
  collect(run: Run<O, Mem, S>): Promise<Collected<Mem>>
}

interface Collected<Mem> {
  /**
   * Made of what the run asked by itself, outside of attempts. What is tracked comes first: where there are too many
   * series the last ones are dropped.
   */
  samples: readonly Sample[]
  /** What is made of attempts too. A part that this run does not name any more is gone. */
  parts?: readonly Part[]
  memory?: Mem
  /** What was declared of the subject and can be told: one series each, and a line of `check --live`. */
  expectations?: readonly Expectation[]
  /** Why this answer is rejected: memory is saved, what was published before stays, and the run fails. */
  refused?: BaseError
}

/**
 * Samples with an age of their own: that of the run's answers and of the attempts that they are made of. When one of
 * those failed, the samples are not looked at, and what this part published before stays until it expires.
 */
export interface Part {
  /** One of a kind within the run. */
  name: string
  of: readonly Attempt<unknown>[]
  samples: readonly Sample[]
}

/** How a part of a run that may fail alone went. */
export type Attempt<T> =
  | { state: 'known'; value: T; answered: Answered }
  /** Its error makes the run a failure. */
  | { state: 'failed'; value: undefined }
  /** For sure not there. The run is a success. */
  | { state: 'unsupported'; value: undefined }

/** How old answers are. */
export interface Answered {
  /** Arrival of the oldest; NEVER when nothing was asked. */
  oldest: Moment
  /** Until when all of them are as young as the asker accepts. */
  acceptedUntil: Moment
}

/** Omitted when it cannot be judged. */
export interface Expectation extends Judged {
  metric: Scalar<'expectation'>
  /** Identity beyond that of the task. */
  labels: Readonly<Record<string, string>>
}

/** Comparisons about what the task itself is about. */
export function toldBy(metric: Expectation['metric'], judged: readonly Judged[]): Expectation[] {
  return judged.map((one) => ({ metric, labels: {}, ...one }))
}

/** Deadline, signal and source are bound inside. Every call may throw BaseError: let it, the runner sees to it. */
export interface Ask<O extends Operation> {
  /**
   * What the upstream says that it does not support is asked again once an hour; with a `maxAge` of 0s at every run, as
   * that is what the run is about. With a longer one, an answer of that age will do.
   */
  call<T extends O>(operation: T, params: Params<T>, how?: { maxAge?: string }): Promise<Answer<AnswerOf<T>>>
  pages<T extends O>(operation: T, params: Params<T>): AsyncIterable<Answer<AnswerOf<T>>>
}

export interface Run<O extends Operation, Mem, S> extends Ask<O> {
  /** All that a run looks at is in its subject: what changes elsewhere in the configuration does not concern it. */
  subject: S
  network: Facts
  memory: Mem | undefined
  /** Milliseconds since the epoch when the run began. */
  now: number
  /** For what may fail alone. It asks through `ask`, so that only the parts made of it have its age. */
  attempt<T>(work: (ask: Ask<O>) => Promise<T>): Promise<Attempt<T>>
  /** The run counts as a failure for this reason, though what it returns is published. */
  flawed(reason: BaseError): void
}

export type AnyCollector = Collector<Operation, unknown, Subject>

/** Checks the types of a collector and lets the runner treat all of them alike. */
export function defineCollector<O extends Operation, S extends Subject, Mem = never>(
  collector: Collector<O, Mem, S>,
): AnyCollector {
  return collector
}

// Completes the samples of a collector: adds the labels that the task fixes to those that the collector gave.

import type { Expectation } from '../collectors/define.ts'
import { type BaseError, refusal, refusalReasons, type RefusalReason } from '../errors.ts'
import type { Network } from '../config/schema.ts'
import type { Metric, Sample, HistogramValue } from '../metrics/define.ts'
import { type Labelled, pairOf, seriesOf } from '../metrics/exposition.ts'
import { entryOf } from '../lib/entry.ts'
import { areSameLabels, isLabel, isPlain } from '../lib/label-text.ts'
import type { ExpectationRow } from '../metrics/publication.ts'
import type { Task } from '../scheduler/plan.ts'
import { isInFuture } from '../lib/clock.ts'

/** With all labels of each judged object. */
export function rowsOf(task: Task, expectations: readonly Expectation[]): ExpectationRow[] {
  return expectations.map(({ metric, labels, ...judged }) => {
    const names = metric.labels.filter((name) => name !== 'expectation')
    const whole = names.map((name): [string, string] => [name, labels[name] ?? task.labels[name]!])
    return { labels: Object.fromEntries(whole), ...judged }
  })
}

export interface Identified extends Labelled {
  /** The configuration names its validator, or it belongs to no validator. */
  isTracked: boolean
  /** All labels, if the judge reads the metric. */
  labels?: Sample['labels'] | undefined
}

/** The rendered labels of a sample, shared by the metrics of one object. */
interface Identity {
  /** The labels that a collector gave. */
  given: Sample['labels']
  pairs: string
  /** Made when a metric that the judge reads has them. */
  labels: Sample['labels'] | undefined
  isLabelled: boolean
  isTracked: boolean
  /** The last run that had a sample with these labels. */
  run: number
}

/** Metrics with the same label names. */
interface Kind {
  names: readonly string[]
  /** Identities as the last samples had them, one after the other; `at` is the place of the next one. */
  sequence: Identity[]
  at: number
  /** Of the last sample. */
  given: Sample['labels'] | undefined
  identity: Identity | undefined
}

interface Rest {
  seriesDropped: (count: number) => void
  /** Called for a sample that was left out because it cannot be true. */
  refused: (reason: BaseError) => void
  now: number
  isKept?: ((metric: string) => boolean) | undefined
}

/**
 * Gives samples exactly the labels of their metric, in its order. Keeps the first of two samples of the same series, and
 * leaves out what cannot be true.
 */
export function createIdentifier(task: Task, { seriesDropped, refused, now, isKept = () => false }: Rest) {
  const { identityOf, labelsOf } = entryOf(ofTasks, task.labels, () => createIdentities(task)).nextRun()
  /** Metrics that have a sample with the labels. */
  const metricsOf = new Map<Identity, Metric[]>()

  return (samples: readonly Sample[]): Identified[] => {
    const kept: Identified[] = []
    let dropped = 0
    for (const sample of samples) {
      const { metric, value } = sample
      const identity = identityOf(sample)
      const { pairs, isLabelled, isTracked } = identity
      const metrics = entryOf(metricsOf, identity, () => [])
      if (metrics.includes(metric)) {
        dropped += seriesOf(sample)
        continue
      }
      const reason = isLabelled ? impossible(sample, now) : 'label'
      if (reason === undefined) {
        metrics.push(metric)
        const labels = isKept(metric.name) ? (identity.labels ??= labelsOf(sample)) : undefined
        kept.push({ metric, value, pairs, isTracked, labels })
      } else {
        refused(refusal(reason, `${metric.name} is left out: ${refusalReasons[reason]}`))
      }
    }
    if (dropped > 0) seriesDropped(dropped)
    return kept
  }
}

/**
 * A task fixes all that an identity follows from, but the labels that its collector gives. By its own labels, which a task with
 * stretched intervals shares.
 */
const ofTasks = new WeakMap<Task['labels'], ReturnType<typeof createIdentities>>()

/** A run mostly has the objects of the last one in the same order, and what has the same labels is not rendered again. */
function createIdentities(task: Task) {
  const kinds = new Map<string, Kind>()
  const kindOf = new Map<Metric, Kind>()
  const identities = new Map<string, Identity>()
  const isTracked = trackedIn(task)
  const fixed = new Map(Object.entries(task.labels).map(([name, value]) => [name, written(name, value)]))
  let run = 0
  /** Number of identities that the run has. */
  let used = 0

  function kind(metric: Metric): Kind {
    const names = metric.states ? metric.labels.filter((name) => name !== 'state') : metric.labels
    return entryOf(kinds, names.join(), () => ({ names, sequence: [], at: 0, given: undefined, identity: undefined }))
  }

  function rendered({ metric, labels }: Sample, { names }: Kind): Identity {
    let pairs = ''
    let isLabelled = true
    for (const name of names) {
      const given = labels[name]
      const pair = given === undefined ? fixed.get(name) : written(name, given)
      if (pair === undefined) throw new Error(`${metric.name} lacks the label ${name}`)
      isLabelled &&= pair.isLabel
      pairs += pairs === '' ? pair.text : `,${pair.text}`
    }
    // Flattens the string once, which every line would do again.
    Buffer.byteLength(pairs)
    return entryOf(identities, pairs, () => {
      return { given: labels, pairs, isLabelled, isTracked: isTracked(labels), labels: undefined, run: 0 }
    })
  }

  function identityOf(sample: Sample): Identity {
    const { metric, labels } = sample
    const own = entryOf(kindOf, metric, kind)
    // A collector gives the samples of one object in a row, with the same labels object.
    if (own.given === labels) return own.identity!
    const before = own.sequence[own.at]
    const identity = before && areSameLabels(before.given, labels) ? before : rendered(sample, own)
    if (identity.run !== run) {
      identity.run = run
      used += 1
    }
    own.sequence[own.at] = identity
    own.at += 1
    own.given = labels
    own.identity = identity
    return identity
  }

  function labelsOf({ metric, labels }: Sample): Sample['labels'] {
    const all: Record<string, string> = {}
    for (const name of entryOf(kindOf, metric, kind).names) all[name] = labels[name] ?? task.labels[name]!
    return all
  }

  return {
    nextRun() {
      if (used < identities.size) {
        for (const [pairs, identity] of identities) if (identity.run !== run) identities.delete(pairs)
      }
      run += 1
      used = 0
      for (const one of kinds.values()) {
        one.sequence.length = one.at
        one.at = 0
        one.given = undefined
      }
      return { identityOf, labelsOf }
    },
  }
}

/** Most values are plain: valid as a label and without escaping. */
function written(name: string, value: string): { text: string; isLabel: boolean } {
  return isPlain(value)
    ? { text: `${name}="${value}"`, isLabel: true }
    : { text: pairOf(name, value), isLabel: isLabel(value) }
}

/** Members of a subnet that is watched as a whole may not be in the configuration. */
function trackedIn({ network, labels: fixed }: Task): (labels: Sample['labels']) => boolean {
  const named = namedIn(network)
  return ({ subnet = fixed['subnet'], node_id: id = fixed['node_id'] }) =>
    id === undefined || named.get(subnet!)?.has(id) === true
}

const known = new WeakMap<Network, Map<string, Set<string>>>()

/** Node ids by subnet, built once for each configuration, as every run needs them. */
function namedIn(network: Network): Map<string, Set<string>> {
  return entryOf(known, network, () => {
    const bySubnet = Map.groupBy(network.validators, ({ subnet }) => subnet)
    return new Map([...bySubnet].map(([subnet, some]) => [subnet, new Set(some.map(({ node_id }) => node_id))]))
  })
}

// The last check before publishing: sample values that are impossible, by what the definition of the metric says.

/** Stakes of the primary network and of subnets end within a year. Custom networks may differ. */
const LONGEST_STAKE = 10 * 365 * 86_400_000

/** Why the value must not be published; undefined if it may. `now` in milliseconds since the epoch. */
export function impossible(
  { metric, value }: Pick<Sample, 'metric' | 'value'>,
  now: number,
): RefusalReason | undefined {
  if (typeof value === 'number') return impossibleNumber(metric, value, now)
  return typeof value === 'string' ? undefined : impossibleHistogram(value)
}

function impossibleNumber({ is, type }: Metric, value: number, now: number): RefusalReason | undefined {
  if (!Number.isFinite(value)) return 'number'
  if (type === 'counter') return value < 0 ? 'negative' : undefined
  if (is === 'share') return value < 0 || value > 1 ? 'ratio' : undefined
  if (is === undefined) return undefined
  if (value < 0) return 'negative'
  const latest = { past: now, future: Infinity, end: now + LONGEST_STAKE }[is]
  return isInFuture(value, latest) ? 'future' : undefined
}

/** A sum of negative values would fall. */
function impossibleHistogram({ counts, sum }: HistogramValue): RefusalReason | undefined {
  if (![...counts, sum].every(Number.isFinite)) return 'number'
  return [...counts, sum].some((one) => one < 0) ? 'negative' : undefined
}

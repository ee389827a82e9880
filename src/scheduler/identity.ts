// What a collector returns becomes whole: the labels that the task fixes are added to those that the collector gave.

import type { Expectation } from '../collectors/define.ts'
import { type BaseError, refusal, refusalReasons } from '../errors.ts'
import type { Network } from '../config/schema.ts'
import type { Metric, Sample } from '../metrics/define.ts'
import { type Labelled, pairOf, seriesOf } from '../metrics/exposition.ts'
import { isLabel, isPlain } from '../lib/label-value.ts'
import { impossible } from '../metrics/impossible.ts'
import type { ExpectationRow } from '../metrics/publication.ts'
import type { Task } from './plan.ts'

/** Plain data, with the whole identity of what was judged. */
export function rowsOf(task: Task, expectations: readonly Expectation[]): ExpectationRow[] {
  return expectations.map(({ metric, labels, ...judged }) => {
    const names = metric.labels.filter((name) => name !== 'expectation')
    const whole = names.map((name): [string, string] => [name, labels[name] ?? task.labels[name]!])
    return { labels: Object.fromEntries(whole), ...judged }
  })
}

/** A sample as it is published. */
export interface Identified extends Labelled {
  /** The configuration names what it is about, or it is about no validator. */
  isTracked: boolean
}

/** What the labels of a sample come to: metrics of one object share it. */
interface Identity {
  pairs: string
  isLabelled: boolean
  isTracked: boolean
  /** Metrics that have a sample of it. */
  metrics: Metric[]
}

/** Metrics that have the same labels, and what was made of the last sample among them. */
interface Kind {
  names: readonly string[]
  given: Sample['labels'] | undefined
  identity: Identity | undefined
}

interface Rest {
  seriesDropped: (count: number) => void
  /** A sample was left out, as it cannot be true. */
  refused: (reason: BaseError) => void
  now: number
}

/**
 * Gives samples exactly the labels of their metric, in its order. Of two samples of one run that are the same series the
 * first stays. What cannot be true is left out.
 */
export function createIdentifier(task: Task, { seriesDropped, refused, now }: Rest) {
  const kinds = new Map<string, Kind>()
  const kindOf = new Map<Metric, Kind>()
  const identities = new Map<string, Identity>()
  const isTracked = trackedIn(task)
  const fixed = new Map(Object.entries(task.labels).map(([name, value]) => [name, written(name, value)]))

  function kind(metric: Metric): Kind {
    let known = kindOf.get(metric)
    if (known) return known
    const names = metric.states ? metric.labels.filter((name) => name !== 'state') : metric.labels
    const key = names.join()
    known = kinds.get(key) ?? { names, given: undefined, identity: undefined }
    kinds.set(key, known)
    kindOf.set(metric, known)
    return known
  }

  function identityOf({ metric, labels }: Sample): Identity {
    const own = kind(metric)
    // A collector gives the samples of one object one after the other, with the same labels.
    if (own.given === labels) return own.identity!
    let pairs = ''
    let isLabelled = true
    for (const name of own.names) {
      const given = labels[name]
      const pair = given === undefined ? fixed.get(name) : written(name, given)
      if (pair === undefined) throw new Error(`${metric.name} lacks the label ${name}`)
      isLabelled &&= pair.isLabel
      pairs += pairs === '' ? pair.text : `,${pair.text}`
    }
    // It makes one text of its parts, which every line would do again.
    Buffer.byteLength(pairs)
    let identity = identities.get(pairs)
    if (!identity) {
      identity = { pairs, isLabelled, isTracked: isTracked(labels), metrics: [] }
      identities.set(pairs, identity)
    }
    own.given = labels
    own.identity = identity
    return identity
  }

  return (samples: readonly Sample[]): Identified[] => {
    const kept: Identified[] = []
    let dropped = 0
    for (const sample of samples) {
      const { metric, value } = sample
      const { pairs, isLabelled, isTracked, metrics } = identityOf(sample)
      if (metrics.includes(metric)) {
        dropped += seriesOf(sample)
        continue
      }
      const reason = isLabelled ? impossible(sample, now) : 'label'
      if (reason === undefined) {
        metrics.push(metric)
        kept.push({ metric, value, pairs, isTracked })
      } else {
        refused(refusal(reason, `${metric.name} is left out: ${refusalReasons[reason]}`))
      }
    }
    if (dropped > 0) seriesDropped(dropped)
    return kept
  }
}

/** One look at a usual value tells that it can be a label and needs no escaping. */
function written(name: string, value: string): { text: string; isLabel: boolean } {
  return isPlain(value)
    ? { text: `${name}="${value}"`, isLabel: true }
    : { text: pairOf(name, value), isLabel: isLabel(value) }
}

/** Only members of a subnet that is watched as a whole are not named in the configuration. */
function trackedIn({ network, labels: fixed }: Task): (labels: Sample['labels']) => boolean {
  const named = namedIn(network)
  return ({ subnet = fixed['subnet'], node_id: id = fixed['node_id'] }) =>
    id === undefined || named.get(subnet!)?.has(id) === true
}

const known = new WeakMap<Network, Map<string, Set<string>>>()

/** Node ids by subnet: made once of a configuration, as every run needs it. */
function namedIn(network: Network): Map<string, Set<string>> {
  const before = known.get(network)
  if (before) return before
  const bySubnet = Map.groupBy(network.validators, ({ subnet }) => subnet)
  const named = new Map([...bySubnet].map(([subnet, some]) => [subnet, new Set(some.map(({ node_id }) => node_id))]))
  known.set(network, named)
  return named
}

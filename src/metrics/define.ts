// Metric definitions as data. Nothing is registered: a collector lists its definitions and returns samples.

/** The fixed label set of each kind of object, so that families join. `opinion` adds `source`. */
const identities = {
  network: ['network'],
  validator: ['network', 'subnet', 'node_id', 'validator'],
  subnet: ['network', 'subnet'],
  chain: ['network', 'chain'],
  address: ['network', 'address'],
  window: ['network', 'window'],
  node: ['network', 'source'],
  upstream: ['network', 'source'],
  run: ['network', 'collector', 'source', 'target'],
  daemon: [],
} as const satisfies Record<string, readonly string[]>

type Identity = keyof typeof identities
type IdentityLabel = (typeof identities)[Identity][number]

export interface Metric {
  /** Full name, prefix included; counters end in _total. */
  name: string
  /** One sentence of at most 25 words, with the operation that the value comes from. */
  help: string
  /** One more sentence for the reference, such as a caveat. */
  details?: string
  type: 'gauge' | 'counter' | 'histogram'
  /** All labels that its samples carry. */
  labels: readonly string[]
  /** Upper bounds of a histogram, ascending, without +Inf. */
  buckets?: readonly number[]
  /** The states of a state set: one series each, 1 for the current one. */
  states?: readonly string[]
  /** Name, labels and meaning stay until the next major version. Without it, they may change. */
  stability?: 'stable'
}

export interface HistogramValue {
  /** Observations per bucket, not cumulated; the last one is +Inf. */
  counts: number[]
  sum: number
}

export interface Sample {
  metric: Metric
  /** Samples of a state set lack `state`. */
  labels: Readonly<Record<string, string>>
  /** For a state set, the current state. */
  value: number | HistogramValue | string
}

/** The compiler checks own labels; the collector adds identity labels that the task does not fix. */
type Labels<L extends string> = Readonly<Record<L, string> & Partial<Record<IdentityLabel, string>>>

/** True is 1, false is 0. */
type Value = number | bigint | boolean

export interface Scalar<L extends string> extends Metric {
  type: 'gauge' | 'counter'
  sample(labels: Labels<L>, value: Value): Sample
  /** No sample of an unknown value. */
  ifKnown(labels: Labels<L>, value: Value | undefined): Sample[]
}

export interface Histogram<L extends string> extends Metric {
  type: 'histogram'
  buckets: readonly number[]
  sample(labels: Labels<L>, value: HistogramValue): Sample
}

interface StateSet extends Metric {
  type: 'gauge'
  states: readonly string[]
  /** A state that is not among them is shown as `other`. */
  sample(labels: Labels<never>, current: string): Sample
}

interface Definition<L extends string> {
  name: `stakewatch_${string}`
  help: string
  details?: string
  of: Identity
  /** One observer's opinion of the object: adds `source`. What a node says about itself is `of: 'node'` instead. */
  opinion?: true
  labels?: readonly L[]
  stability?: 'stable'
}

export function gauge<const L extends string = never>(definition: Definition<L>): Scalar<L> {
  return scalar('gauge', definition)
}

export function counter<const L extends string = never>(
  definition: Definition<L> & { name: `${string}_total` },
): Scalar<L> {
  return scalar('counter', definition)
}

function scalar<L extends string>(type: 'gauge' | 'counter', definition: Definition<L>): Scalar<L> {
  const metric: Scalar<L> = {
    ...described(definition),
    type,
    sample: (labels, value) => ({ metric, labels, value: Number(value) }),
    ifKnown: (labels, value) => (value === undefined ? [] : [metric.sample(labels, value)]),
  }
  return metric
}

export function histogram<const L extends string = never>(
  definition: Definition<L> & { buckets: readonly number[] },
): Histogram<L> {
  return sampled({ ...described(definition), type: 'histogram', buckets: definition.buckets })
}

/** One series per state: 1 for the current one, 0 for the others. */
function stateSet(definition: Omit<Definition<never>, 'labels'> & { states: readonly string[] }): StateSet {
  return sampled({ ...described({ ...definition, labels: ['state'] }), type: 'gauge', states: definition.states })
}

/** The metric with the function that makes its samples, whose types are those of the kind. */
function sampled<Kind extends Metric>(own: Omit<Kind, 'sample'>): Kind {
  const sample = (labels: Sample['labels'], value: Sample['value']): Sample => ({ metric, labels, value })
  const metric = { ...own, sample } as unknown as Kind
  return metric
}

type Described<D> = Omit<D, 'name' | 'of' | 'opinion'>

/** Definitions of metrics of one kind of object. */
function metricsOf(of: Identity, opinion?: true) {
  const named = <N extends string, D>(name: N, described: D) => ({
    name,
    of,
    ...(opinion && { opinion }),
    ...described,
  })
  type Name = Definition<never>['name']
  return {
    gauge: <const L extends string = never>(name: Name, described: Described<Definition<L>>) =>
      gauge<L>(named(name, described)),
    counter: <const L extends string = never>(name: Name & `${string}_total`, described: Described<Definition<L>>) =>
      counter<L>(named(name, described)),
    histogram: <const L extends string = never>(name: Name, described: Described<Parameters<typeof histogram<L>>[0]>) =>
      histogram<L>(named(name, described)),
    stateSet: (name: Name, described: Described<Parameters<typeof stateSet>[0]>) => stateSet(named(name, described)),
  }
}

export const ofNetwork = metricsOf('network')
export const ofSubnet = metricsOf('subnet')
export const ofValidator = metricsOf('validator')
export const ofChain = metricsOf('chain')
export const ofAddress = metricsOf('address')
/** What a node says about itself. */
export const ofNode = metricsOf('node')
export const ofUpstream = metricsOf('upstream')
export const ofRun = metricsOf('run')
export const ofDaemon = metricsOf('daemon')
/** A maintenance window. */
export const ofWindow = metricsOf('window')
/** One observer's opinion of the object. */
export const opinionOfSubnet = metricsOf('subnet', true)
export const opinionOfValidator = metricsOf('validator', true)
export const opinionOfChain = metricsOf('chain', true)

function described(definition: Definition<string>): Omit<Metric, 'type'> {
  const { name, help, details, of, opinion, labels = [], stability } = definition
  return {
    name,
    help,
    ...(details !== undefined && { details }),
    labels: [...identities[of], ...(opinion ? ['source'] : []), ...labels],
    ...(stability && { stability }),
  }
}

export function emptyHistogram({ buckets }: { buckets: readonly number[] }): HistogramValue {
  return { counts: Array<number>(buckets.length + 1).fill(0), sum: 0 }
}

export function observe(
  { buckets }: { buckets: readonly number[] },
  before: HistogramValue,
  value: number,
): HistogramValue {
  const found = buckets.findIndex((bound) => value <= bound)
  const at = found < 0 ? buckets.length : found
  return { counts: before.counts.map((count, index) => (index === at ? count + 1 : count)), sum: before.sum + value }
}

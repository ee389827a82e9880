// Metric definitions as data. Nothing is registered: a collector lists its definitions and returns samples.

/** The fixed label set of each kind of object, so that families join. `opinion` adds `source`. */
const identities = {
  network: ['network'],
  validator: ['network', 'subnet', 'node_id', 'validator'],
  shown: ['network', 'subnet', 'validator'],
  subnet: ['network', 'subnet'],
  chain: ['network', 'chain'],
  address: ['network', 'address'],
  window: ['network', 'window'],
  node: ['network', 'source'],
  upstream: ['network', 'source'],
  run: ['network', 'collector', 'source', 'target'],
  runs: ['network', 'collector', 'source'],
  drill: ['network', 'subnet', 'node_id', 'validator', 'source', 'chain', 'address'],
  condition: [
    'condition',
    'network',
    'subnet',
    'node_id',
    'validator',
    'source',
    'chain',
    'address',
    'window',
    'check',
    'collector',
    'target',
    'expectation',
    'what',
    'outcome',
    'route',
    'probe',
  ],
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
  /** What its values are; a sample that is none of these is not published. An `end` is that of a stake. */
  is?: 'share' | 'past' | 'future' | 'end'
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

interface Histogram<L extends string> extends Metric {
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

type Name = `stakewatch_${string}`

interface Definition<L extends string> extends Pick<Metric, 'help' | 'details' | 'is' | 'stability'> {
  labels?: readonly L[]
}

/** Definitions of metrics of one kind of object. An opinion is that of one observer: it adds `source`. */
function metricsOf(of: Identity, isOpinion = false) {
  const fixed = [...identities[of], ...(isOpinion ? ['source'] : [])]
  /** The kind has the types of the samples. */
  function define<Kind extends Metric>(type: Kind['type'], name: Name, given: Definition<string>): Kind {
    const sample = (labels: Sample['labels'], value: Value | Sample['value']): Sample => {
      return { metric, labels, value: typeof value === 'object' || typeof value === 'string' ? value : Number(value) }
    }
    const ifKnown = (labels: Sample['labels'], value?: Value) => (value === undefined ? [] : [sample(labels, value)])
    const labels = [...fixed, ...(given.labels ?? [])]
    const metric = { ...given, name, type, labels, sample, ifKnown } as unknown as Kind
    return metric
  }
  return {
    gauge: <const L extends string = never>(name: Name, given: Definition<L>) =>
      define<Scalar<L>>('gauge', name, given),
    counter: <const L extends string = never>(name: Name & `${string}_total`, given: Definition<L>) =>
      define<Scalar<L>>('counter', name, given),
    histogram: <const L extends string = never>(name: Name, given: Definition<L> & { buckets: readonly number[] }) =>
      define<Histogram<L>>('histogram', name, given),
    /** One series per state: 1 for the current one, 0 for the others. */
    stateSet: (name: Name, given: Omit<Definition<never>, 'labels'> & { states: readonly string[] }) =>
      define<StateSet>('gauge', name, { ...given, labels: ['state'] }),
  }
}

export const ofNetwork = metricsOf('network')
export const ofSubnet = metricsOf('subnet')
/** What a rule or the report reads of a validator: silences, windows and the report find it by its node id. */
export const ofValidator = metricsOf('validator')
/** What is only shown of a validator. In its subnet its name is unique; the node id would be a third of each series. */
export const ofShownValidator = metricsOf('shown')
export const ofChain = metricsOf('chain')
export const ofAddress = metricsOf('address')
/** What a node says about itself. */
export const ofNode = metricsOf('node')
export const ofUpstream = metricsOf('upstream')
/** A collector on one target. */
export const ofRun = metricsOf('run')
/** A collector on all its targets: a label for them would multiply what each target costs Prometheus. */
export const ofRuns = metricsOf('runs')
export const ofDaemon = metricsOf('daemon')
/** What a drill pretends to be about: any of these labels may be missing. */
export const ofDrill = metricsOf('drill')
/** A condition of any object: the labels of that object, and of its part, may be missing. */
export const ofCondition = metricsOf('condition')
/** A maintenance window. */
export const ofWindow = metricsOf('window')
/** One observer's opinion of the object. */
export const opinionOfSubnet = metricsOf('subnet', true)
export const opinionOfValidator = metricsOf('validator', true)
export const opinionOfShownValidator = metricsOf('shown', true)
export const opinionOfChain = metricsOf('chain', true)

export function emptyHistogram({ buckets }: { buckets: readonly number[] }): HistogramValue {
  return { counts: Array<number>(buckets.length + 1).fill(0), sum: 0 }
}

/** The histogram with these values as well. */
export function observe(
  { buckets }: { buckets: readonly number[] },
  before: HistogramValue,
  values: readonly number[],
): HistogramValue {
  const counts = [...before.counts]
  for (const value of values) {
    const found = buckets.findIndex((bound) => value <= bound)
    counts[found < 0 ? buckets.length : found]! += 1
  }
  return { counts, sum: values.reduce((sum, value) => sum + value, before.sum) }
}

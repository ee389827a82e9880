// Selectors of our metrics, narrowed by every dashboard variable that is a label of the metric.

import { collectors } from '../../src/collectors/index.ts'
import { daemonMetrics } from '../../src/self/daemon-metrics.ts'
import { storageMetrics } from '../../src/storage/storage-metrics.ts'
import { createSelf } from '../../src/self/instance.ts'
import { configurationMetrics } from '../../src/self/known.ts'
import { conditionMetrics } from '../../src/self/judge-metrics.ts'

const catalogue = new Map(
  [
    ...collectors.flatMap(({ metrics }) => metrics),
    ...daemonMetrics,
    ...storageMetrics,
    ...configurationMetrics,
    ...createSelf('').metrics,
  ].map((metric) => [metric.name, metric]),
)

export type Variable = 'job' | 'instance' | 'network' | 'subnet' | 'validator' | 'chain' | 'source' | 'address'

export type Narrowed = ReturnType<typeof narrowedBy>

/** Metrics about objects of any kind, which lack the labels of the other kinds. */
const isOfAny: ReadonlySet<string> = new Set(
  conditionMetrics.filter(({ labels }) => labels.includes('validator')).map(({ name }) => name),
)
const isOfObject = (label: Variable) => label !== 'job' && label !== 'instance'

/**
 * Query builders for the panels of one dashboard. Each of `variables`, in the order of the dashboard, narrows those
 * after it. All but `select` give one series per object even if several instances of stakewatch watch it; `matchers`
 * narrow further.
 */
function narrowedBy(variables: readonly Variable[]) {
  /** The metric name without `stakewatch_`, or the full name of a process metric. */
  function select(name: string, ...matchers: readonly string[]): string {
    const full = /^(process|nodejs)_/.test(name) ? name : `stakewatch_${name}`
    const metric = catalogue.get(full) ?? catalogue.get(full.replace(/_(bucket|sum|count)$/, ''))
    if (metric === undefined) throw new Error(`no such metric: ${full}`)
    const labels = new Set(['job', 'instance', ...metric.labels])
    const narrow = (label: Variable) =>
      isOfAny.has(full) && isOfObject(label) ? `${label}=~"$${label}|"` : `${label}=~"$${label}"`
    const all = [...variables.filter((label) => labels.has(label)).map(narrow), ...matchers]
    return `${full}{${all.join(', ')}}`
  }

  function overTime(how: string, range: string) {
    return (by: string, name: string, ...matchers: readonly string[]) =>
      `max by (${by}) (${how}(${select(name, ...matchers)}[${range}]))`
  }

  return {
    variables,
    select,
    one: (by: string, name: string, ...matchers: readonly string[]) => `max by (${by}) (${select(name, ...matchers)})`,
    least: (by: string, name: string, ...matchers: readonly string[]) =>
      `min by (${by}) (${select(name, ...matchers)})`,
    /** The number of the state of each object, counted from `first`; of several, as replicas may differ, the highest. */
    stateNumber(by: string, name: string, states: readonly string[], first = 0): string {
      const numbers = states.map((state, at) => `${at + first} * ${select(name, `state="${state}"`)}`)
      return `max by (${by}) (${numbers.join(' or ')})`
    },
    perSecond: overTime('rate', '$__rate_interval'),
    /** Growth in the time range of the dashboard. */
    grown: overTime('increase', '$__range'),
    /** Growth per step of a graph. */
    came: overTime('increase', '$__interval'),
    age: (by: string, name: string) => `time() - max by (${by}) (${select(name)})`,
    left: (by: string, name: string) => `max by (${by}) (${select(name)}) - time()`,
  }
}

/** What a tile shows: the answer, or the word where the configuration has nothing for these collectors. Missing data has no answer. */
export function orUnconfigured({ select }: Narrowed, expr: string, word: string, ...collectors: readonly string[]) {
  const runs = (...matchers: readonly string[]) => `count(${select('collector_interval_seconds', ...matchers)})`
  const none = `${runs()} * Inf unless ${runs(`collector=~"${collectors.join('|')}"`)}`
  return { expr: `${expr} or on () (${none})`, states: { [Infinity]: [word, 'grey'] as const } }
}

/** With node ids shortened as in tables: Grafana cuts the names of a timeline at 40 % of its width. */
export const withShortIds = (expr: string) =>
  `label_replace(${expr}, "validator", "$1…$2", "validator", "(NodeID-.).{2,}(.{5})")`

/** Values in rows that further labels name. Replicas may differ in these: then each has a row. */
export const inRows = (rows: string, by: string, expr: string) => `${rows} * on (${by}) group_left () (${expr})`

/** Without observations there is no quantile; Prometheus answers NaN. */
export const quantileOf = (share: number, buckets: string) => `(histogram_quantile(${share}, ${buckets}) >= 0)`

/** Growth is extrapolated from both ends of the range, but events are whole. */
export const whole = (expr: string) => `round(${expr})`
/** For graphs, as Grafana's own weeks and years make crooked ticks. A hundredth of a day is a quarter of an hour. */
export const inDays = (expr: string) => `round((${expr}) / 86400, 0.01)`
/** The same of a time that has passed once it is negative. */
export const daysLeft = (expr: string) => inDays(`clamp_min(${expr}, 0)`)

/** Also on the pages of L1s and of a single validator. */
export const ofFleet = narrowedBy(['job', 'instance', 'network', 'subnet', 'validator'])
export const ofChains = narrowedBy(['job', 'instance', 'network', 'chain', 'source'])
export const ofWallets = narrowedBy(['job', 'instance', 'network', 'address'])
/** Without a validator, chain or wallet. */
export const ofNetwork = narrowedBy(['job', 'instance', 'network'])

/** In its subnet the name of a validator is unique. */
export const VALIDATOR = 'network, subnet, validator'
export const OBSERVED = `${VALIDATOR}, source`
export const SUBNET = 'network, subnet'
export const CHAIN = 'network, chain'
export const WALLET = 'network, address'
/** A wallet on one of its chains. */
export const PLACE = 'network, address, chain'
export const NODE = 'network, source'
export const NODE_CHAIN = 'network, chain, source'
export const ROUTE = 'network, route'
export const RUN = 'network, collector, source, target'

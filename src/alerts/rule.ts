// The types of alert rules, and the expressions that several rules share.

import { labelsOf } from '../metrics/labels.ts'
import type { Page } from './panels.ts'
import type { Thresholds } from './thresholds.ts'

/** A recording rule. */
export interface Recorded {
  /** `level:metric:operations`: the labels that remain, the metric, and the operations on it. */
  record: string
  labels?: Readonly<Record<string, string>>
  expr: string
}

/** The data that an alert about money, keys or an outage needs before it resolves. */
export interface Known {
  /** Series that report on the problem. While they are missing, the alert stays. */
  by: string
  /** The object is configured but has ended, so there is nothing left to report. */
  ended?: { series: string; labels: string }
  /** The labels that join those series with the alert. */
  labels: string
  /** The name of the object in a description. */
  name: string
  /** Series that exist while the object is configured. Without them, the alert resolves. */
  of: { series: string; labels: string }
}

export type Maintained = 'validator' | 'machine' | 'node' | 'nodes' | 'chain' | 'subnet' | 'wallet'

export interface Rule {
  alert: string
  /** The condition whose verdict it reads, and the metrics that the condition judges. */
  condition?: string
  reads?: readonly string[]
  /** critical pages, warning waits for the morning, info is for dashboards; none is for the watchdog, `own` is the series's. */
  severity: 'critical' | 'warning' | 'info' | 'none' | 'own'
  /** The dashboard, and the title of its panel that shows what the rule reads. */
  panel: `${Page}: ${string}`
  expr: string
  /** Seconds for which the expression must be true before the alert fires. */
  for: number
  /** Seconds for which the alert keeps firing after the expression became false, so that a gap does not end it. Default: HOLD. */
  hold?: number
  /** A maintenance window over this object suppresses the alert. `machine`: over any validator of the machine; `nodes`: over all nodes. */
  quietFor?: Maintained
  /** Required for critical rules, except those about stakewatch itself. */
  known?: Known
  /** The same for all instances of the alert. */
  summary: string
  /** A Prometheus template. */
  description: string
}

export interface Group {
  name: string
  rules: readonly Rule[]
}

export const MINUTE = 60
export const HOUR = 60 * MINUTE

/** Longer than a restart and than StakewatchDown takes to fire: a gap must not resolve alerts. */
export const HOLD = 10 * MINUTE

/**
 * Aggregates the series of all replicas. Keeps the job and the labels of the metric and drops all target labels: replicas may
 * have target labels that we do not know, and different ones would duplicate alerts or break joins. `without` drops more.
 */
export function across(operator: 'max' | 'min' | 'sum', series: string, ...without: readonly string[]): string {
  const [metric] = /\bstakewatch_\w+/.exec(series) ?? []
  if (metric === undefined) throw new Error(`no metric of stakewatch in ${series}`)
  const kept = labelsOf(metric).filter((label) => !without.includes(label))
  return `${operator} by (${['job', ...kept].join(', ')}) (${series})`
}

/** The metrics that the rule is about: those that its condition judges, or that its expression names. */
export const metricsOf = ({ expr, reads }: Pick<Rule, 'expr' | 'reads'>): readonly string[] =>
  reads ?? expr.match(/\bstakewatch_(?!unknown)\w+|\bup\b/g) ?? []

/** The current value over all replicas. Never a range: the daemon withdraws expired data, and a range would bring it back. */
export const latest = (series: string, ...without: readonly string[]) => across('max', series, ...without)

/**
 * When a collector last succeeded. Ages are relative to that time, not to now: during an outage of the upstream, the data gets
 * old but the thing itself may not. `subject` is the label for the part of the target that the pattern matches.
 */
export const lastAsked = (collector: string, subject: string, pattern = '(.+)') =>
  `max by (job, network, source, ${subject}) (label_replace(stakewatch_collector_last_success_timestamp_seconds{collector="${collector}"}, "${subject}", "$1", "target", "${pattern}"))`

/** When a collector last succeeded, for each source that it asks. */
export const lastSuccessOf = (collector: string) =>
  latest(`stakewatch_collector_last_success_timestamp_seconds{collector="${collector}"}`, 'collector', 'target')

/** The weights of a subnet whose validators are in these states, together. */
export const weightIn = (states: string) => `sum without (state) (${latest(`stakewatch_subnet_weight${states}`)})`
/** One kind of the weight of an L1. */
export const weightOf = (metric: string, of: string) => latest(`${metric}{of="${of}"}`, 'of')

/** One step of a countdown: below one number, down to the other. */
export const between = (value: string, below: number, least?: number) =>
  `${value} < ${below}${least === undefined ? '' : ` >= ${least}`}`

/** A rule whose summary says how near the end is. */
export type Step = Omit<Rule, 'summary'>

/** Expectations about money and keys, which page; other settings only warn. */
export const TAMPERING = 'bls_public_key|remaining_balance_owner|reward_addresses'

export const IN_SET = latest('stakewatch_validator_in_set')

/** A tracked validator with a known place in the set. */
export const knownPlace: Known = {
  by: 'stakewatch_validator_in_set',
  labels: 'job, network, subnet, node_id',
  name: 'validator {{ $labels.validator }}',
  of: { series: 'stakewatch_validator_tracked', labels: 'job, network, subnet, node_id' },
}
/** A tracked validator that these series report on, or that has left its set. */
export const knownValidator = (by: string, more = ''): Known => ({
  ...knownPlace,
  by,
  ended: { series: 'stakewatch_validator_in_set == 0', labels: knownPlace.labels },
  labels: `${knownPlace.labels}${more}`,
})
/** A configured upstream that these series report on. */
export const knownNode = (by: string, more = ''): Known => ({
  by,
  labels: `job, network, source${more}`,
  name: 'node {{ $labels.source }}',
  of: { series: 'stakewatch_upstream_up', labels: 'job, network, source' },
})

/** Expectations of the configuration that are not met. */
export const unmet = (expectations: string) => `${latest(expectations)} == 0`

/** A validator in a description. Without a configured name, its node id is its name. */
export const named =
  '{{ $labels.validator }}{{ if ne $labels.validator $labels.node_id }} ({{ $labels.node_id }}){{ end }}'
/** The same, and where it validates. */
export const validator = `${named} on {{ $labels.network }}/{{ $labels.subnet }}`

/** Joins two metrics of the same validation. */
export const SAME_VALIDATOR = 'on (job, network, subnet, node_id)'

/** Members of a fully watched subnet are not tracked: they get no alerts of their own. */
export const isTracked = `and ${SAME_VALIDATOR} stakewatch_validator_tracked`

/** Subnets for which a collector is configured. */
export const watchedBy = (collector: string) =>
  `label_replace(stakewatch_collector_interval_seconds{collector="${collector}"}, "subnet", "$1", "target", "(.+)")`

const PLANNED_END = latest('stakewatch_validator_planned_end_timestamp_seconds')
/** Validations at or near their planned end. */
export const endIsOver = ({ plannedEndSlack }: Thresholds) => `(time() > ${PLANNED_END} - ${plannedEndSlack})`
/** Ends that are planned, or come later than planned. */
export const asPlanned = (ends: string, { plannedEndSlack }: Thresholds) =>
  `(${ends} > ${PLANNED_END} - ${plannedEndSlack})`

/** Networks whose next upgrade is so near that it must page. */
export const upgradeIsNear = ({ upgradeNear }: Thresholds) =>
  `network:stakewatch_node_upgrade_timestamp_seconds:min - time() < ${upgradeNear}`

/** Share of the observers that report one of these states of the reward. */
export const saying = (states: string) =>
  `sum without (state) (validator:stakewatch_validator_reward_state:avg{state=~"${states}"})`
export const isLost = `${saying('lost')} > 0.5`

/**
 * One alert for a machine that validates several subnets, under its name on the primary network. Without one, each L1 has its
 * own alert, because different teams may run them.
 */
export const oncePerMachine = (metric: string, ...without: readonly string[]) => {
  const named = (subnet: string) => latest(`${metric}{subnet${subnet}"primary"}`, 'subnet', ...without)
  return `(${named('=')} or on (job, network, node_id) ${named('!=')})`
}

/** One node that saw the validator announce support is enough. */
export const VALIDATOR_LATE = `${oncePerMachine('stakewatch_validator_upgrade_ready', 'source')} == 0`

/** Share of the weight of an L1 that is online. */
export const L1_SHARE = 'subnet:stakewatch_l1_weight:ratio'

/** No node of the network answers. Alerts about the consequences stay silent. */
export const NODES_DOWN = 'nodes:stakewatch_upstream_up:max == 0'

/** Upstreams other than nodes, as a pattern. */
export const SERVICES = 'data-api|metrics-api'

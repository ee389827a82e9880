// What an alert rule is, and what the rules have in common.

import { labelsOf } from '../metrics/labels.ts'
import type { Thresholds } from './thresholds.ts'

/** A series that Prometheus makes at each evaluation. */
export interface Recorded {
  /** `level:metric:operations`: the labels that are left, the metric, and what was done to it. */
  record: string
  labels?: Readonly<Record<string, string>>
  expr: string
}

/** What an alert about money, keys or an outage has to see before it resolves. */
export interface Known {
  /** The series that report whether the problem is there. While they are missing, the alert stays. */
  by: string
  /** The object is still configured and has ended: nothing is left to report of it. */
  ended?: { series: string; labels: string }
  /** Of those series and of the alert. */
  labels: string
  /** The object in a description. */
  name: string
  /** The series that say that the object is configured. Without them there is nothing left to report. */
  of: { series: string; labels: string }
}

export interface Rule {
  alert: string
  /** critical wakes somebody, warning waits for the morning, info for whoever looks; none is no news. */
  severity: 'critical' | 'warning' | 'info' | 'none'
  expr: string
  /** Seconds for which the expression must have held before the alert fires. */
  for: number
  /** Seconds for which it goes on firing once the expression no longer holds: what a gap does not end. */
  hold: number
  /** Every critical rule about what stakewatch watches has it. */
  known?: Known
  /** The same for all instances of the alert. */
  summary: string
  /** A template: `$labels` and `$value` are those of the instance. */
  description: string
}

export interface Group {
  name: string
  rules: readonly Rule[]
}

export const MINUTE = 60
export const HOUR = 60 * MINUTE

/** Longer than a restart, and than StakewatchDown takes to fire: what was wrong before a gap is not resolved by it. */
export const HOLD = 10 * MINUTE

/**
 * One series for each thing, from all replicas that report it. It keeps the job and the labels of the metric, and drops
 * what Prometheus adds: an operator may give replicas labels that we do not know, and each label that differs would be
 * another alert or break a join. `without` names labels of the metric to drop as well.
 */
export function across(operator: 'max' | 'min' | 'sum', series: string, ...without: readonly string[]): string {
  const [metric] = /\bstakewatch_\w+/.exec(series) ?? []
  if (metric === undefined) throw new Error(`no metric of stakewatch in ${series}`)
  const kept = labelsOf(metric).filter((label) => !without.includes(label))
  return `${operator} by (${['job', ...kept].join(', ')}) (${series})`
}

/**
 * What the replicas report now. Never a range: the daemon withdraws what is too old, and a rule that looks back would bring
 * it to life again.
 */
export const latest = (series: string, ...without: readonly string[]) => across('max', series, ...without)

/**
 * When a collector last succeeded. Ages are counted to then, not to now: while an upstream does not answer, what it said
 * grows old, and the thing itself may not. `subject` is the label for the target, or for the part of it that the pattern says.
 */
export const lastAsked = (collector: string, subject: string, pattern = '(.+)') =>
  `max by (job, network, source, ${subject}) (label_replace(stakewatch_collector_last_success_timestamp_seconds{collector="${collector}"}, "${subject}", "$1", "target", "${pattern}"))`

/** Where money goes and whose keys sign: more than a setting that has drifted. */
export const TAMPERING = 'bls_public_key|remaining_balance_owner|reward_addresses'

export const IN_SET = latest('stakewatch_validator_in_set')

/** A tracked validator of which its place in the set is reported. */
export const knownPlace: Known = {
  by: 'stakewatch_validator_in_set',
  labels: 'job, network, subnet, node_id',
  name: 'validator {{ $labels.validator }}',
  of: { series: 'stakewatch_validator_tracked', labels: 'job, network, subnet, node_id' },
}
/** One of which these series report, or that has left its set: then there is nothing left to report. */
export const knownValidator = (by: string, more = ''): Known => ({
  ...knownPlace,
  by,
  ended: { series: 'stakewatch_validator_in_set == 0', labels: knownPlace.labels },
  labels: `${knownPlace.labels}${more}`,
})
/** A configured upstream of which these series report. */
export const knownNode = (by: string, more = ''): Known => ({
  by,
  labels: `job, network, source${more}`,
  name: 'node {{ $labels.source }}',
  of: { series: 'stakewatch_upstream_up', labels: 'job, network, source' },
})

/** What the configuration declares and is not so. */
export const unmet = (expectations: string) => `${latest(expectations)} == 0`

/** A validator in a description. */
export const validator = '{{ $labels.validator }} ({{ $labels.node_id }}) on {{ $labels.network }}/{{ $labels.subnet }}'

/** The same validation in two metrics. */
export const SAME_VALIDATOR = 'on (job, network, subnet, node_id)'

/** A validator may be watched only because its whole subnet is: then no alert about it alone is due. */
export const isTracked = `and ${SAME_VALIDATOR} stakewatch_validator_tracked`

/** The subnets that a collector is configured for. */
export const watchedBy = (collector: string) =>
  `label_replace(stakewatch_collector_interval_seconds{collector="${collector}"}, "subnet", "$1", "target", "(.+)")`

const PLANNED_END = latest('stakewatch_validator_planned_end_timestamp_seconds')
/** Validations whose end is planned and over, or nearly so. */
export const endIsOver = ({ plannedEndSlack }: Thresholds) => `(time() > ${PLANNED_END} - ${plannedEndSlack})`
/** Of these times of an end those at which it is planned, or later. */
export const asPlanned = (ends: string, { plannedEndSlack }: Thresholds) =>
  `(${ends} > ${PLANNED_END} - ${plannedEndSlack})`

/** Networks for which an upgrade comes so near that nobody may wait for the morning. */
export const upgradeIsNear = ({ upgradeNear }: Thresholds) =>
  `network:stakewatch_node_upgrade_timestamp_seconds:min - time() < ${upgradeNear}`

/** Share of the observers that say so of the reward of a validator. */
export const saying = (states: string) =>
  `sum without (state) (validator:stakewatch_validator_reward_state:avg{state=~"${states}"})`
export const isLost = `${saying('lost')} > 0.5`

/**
 * A machine that validates several subnets is one alert, by the name that it has on the primary network. Validators of
 * several L1s have the people of each.
 */
export const oncePerMachine = (metric: string, ...without: readonly string[]) => {
  const named = (subnet: string) => latest(`${metric}{subnet${subnet}"primary"}`, 'subnet', ...without)
  return `(${named('=')} or on (job, network, node_id) ${named('!=')})`
}

/** Any node that the validator has told the truth is right. */
export const VALIDATOR_LATE = `${oncePerMachine('stakewatch_validator_upgrade_ready', 'source')} == 0`

/** Share of the weight of an L1 that takes part. */
export const L1_SHARE = 'subnet:stakewatch_l1_weight:ratio'

/** No node of the network answers: that is the news, and what follows from it is none. */
export const NODES_DOWN = 'nodes:stakewatch_upstream_up:max == 0'

/** Upstreams that are no nodes, as a pattern. */
export const SERVICES = 'data-api|metrics-api'

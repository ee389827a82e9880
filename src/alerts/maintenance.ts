// Maintenance windows: what suppresses alerts about covered objects, what pages when they are still down afterwards, and what a
// window costs.

import { NODES, ownNodes, STARTING } from './causes.ts'
import { CONNECTED, L1_CONNECTED } from './connections.ts'
import { UNHEALTHY } from './health.ts'
import { ALL_NODES_IN, ALL_UNPLANNED, kinds, quiet, unlessMaintained, UNPLANNED } from './quiet.ts'
import {
  type Group,
  isTracked,
  L1_SHARE,
  latest,
  MINUTE,
  type Recorded,
  type Rule,
  SAME_VALIDATOR,
  validator,
} from './rule.ts'
import type { Thresholds } from './thresholds.ts'

const OVERRUN = 'StakewatchMaintenanceOverrun'
const UP = 'upstream:stakewatch_upstream_up:max'
const USABLE = 'upstream:stakewatch_upstream_up:usable'

const overrunning = `ALERTS{alertname="${OVERRUN}",alertstate="firing"}`
const inWindow = (kind: keyof typeof kinds) => `max by (${kinds[kind].labels}) (${latest(kinds[kind].metric)}) == 1`

/**
 * Objects whose alerts are suppressed: in a window or its grace, or down since, about which StakewatchMaintenanceOverrun pages.
 */
export const recordedOfMaintenance: readonly Recorded[] = [
  {
    record: quiet('validator'),
    expr: `${inWindow('validator')}
or max by (${kinds.validator.labels}) (stakewatch_validator_tracked)
  and ${SAME_VALIDATOR} ${overrunning}`,
  },
  {
    record: quiet('node'),
    expr: `${inWindow('node')}
or 0 * ${UP} + 1 and on (${kinds.node.labels}) (${overrunning} or ${ownNodes(quiet('validator'))})`,
  },
  ...(['chain', 'subnet', 'wallet'] as const).map((kind) => ({ record: quiet(kind), expr: inWindow(kind) })),
  {
    record: ALL_NODES_IN,
    expr: `count by (job, network) (${quiet('node')}) == count by (job, network) (${UP}{${NODES}})`,
  },
  { record: UNPLANNED, expr: `${quiet('node')} or on (${kinds.node.labels}) ${UP}` },
  { record: ALL_UNPLANNED, expr: `max without (source) (${UNPLANNED}{${NODES}})` },
]

/** 1 if the node answers, has bootstrapped and passes its health checks, else 0. */
export const usable: Recorded = {
  record: USABLE,
  expr: `${UP}{${NODES}}
  unless on (${kinds.node.labels}) (${UNHEALTHY} or ${STARTING})
or 0 * ${UP}{${NODES}}`,
}

/** Suppresses the alert about objects in maintenance. */
export function withMaintenance(rule: Rule): Rule {
  const { expr, quietFor } = rule
  return quietFor === undefined || rule.condition !== undefined
    ? rule
    : { ...rule, expr: `(${expr})\n${unlessMaintained(quietFor)}` }
}

/**
 * Windows whose grace has just ended, or whose objects have been down since. These series say what the configuration
 * says and are never withdrawn while it does, so that a range may look back at them.
 */
const ended = (kind: keyof typeof kinds) => `(
      ${latest(kinds[kind].metric)} == 0
      and ${latest(`max_over_time(${kinds[kind].metric}[5m])`)} == 1
      unless on (${kinds[kind].labels}) ${inWindow(kind)}
      or max without (alertname, alertstate, severity) (${overrunning})
    )`

/** The five minutes reach back into the window: what has gone down after it is not still down. */
const stillOffline = `${ended('validator')}
    and ${SAME_VALIDATOR} (max_over_time(${CONNECTED}[5m]) < 0.5 or max_over_time(${L1_CONNECTED}[5m]) < 0.5)
    ${isTracked}`
const stillDown = `${ended('node')}
    and on (${kinds.node.labels}) max_over_time(${USABLE}[5m]) == 0`

const overrun: Rule = {
  alert: OVERRUN,
  panel: 'validator: Connection by observer',
  severity: 'critical',
  // One page for a machine: its validators before its node.
  expr: `${stillOffline}
  or (
    ${stillDown}
    unless on (${kinds.node.labels}) ${ownNodes(`(${stillOffline})`)}
  )`,
  // What is polled once a minute is polled after the end of the grace: it may be back since.
  for: 2 * MINUTE,
  known: {
    by: `${CONNECTED} or ${L1_CONNECTED} or ${UP}`,
    labels: 'job, network, subnet, node_id, source',
    name: '{{ with $labels.validator }}validator {{ . }}{{ else }}node {{ $labels.source }}{{ end }}',
    of: {
      series: 'stakewatch_validator_tracked or stakewatch_upstream_up',
      labels: 'job, network, subnet, node_id, source',
    },
  },
  summary: 'A maintenance window is over, and something that it covers is still down.',
  description: `{{ if $labels.validator }}Validator ${validator} is still disconnected{{ else }}Node {{ $labels.source }} on {{ $labels.network }} still does not answer or is unhealthy{{ end }}, although maintenance window {{ $labels.window }} and its time to recover are over.`,
}

const START = latest('stakewatch_maintenance_start_timestamp_seconds')
const END = latest('stakewatch_maintenance_end_timestamp_seconds')
const OF_WINDOW = 'on (job, network, window)'

/** Windows that open within a day or are open. */
const near = (limits: Thresholds) => `(${START} - time() < ${limits.maintenanceNotice})`

/** Seconds of the window that are still to come. */
const LEFT = `(${END} - clamp_min(${START}, time()))`

const member = latest('stakewatch_validator_in_maintenance')
/** Validators of near windows, with a value of the window. */
const withMembers = (value: string, limits: Thresholds) =>
  `(0 * ${member} + ${OF_WINDOW} group_left () (${value} and ${OF_WINDOW} ${near(limits)}))`

const MAY_STOP = `max by (job, network, subnet, node_id) (quantile without (source) (0.5, ${latest('stakewatch_validator_may_stop_seconds')}))`
const STAKE_END = `max by (job, network, subnet, node_id) (${latest('stakewatch_validator_end_timestamp_seconds')})`

/** Weight of an L1 that is down by plan when a window starts, as a share of all. */
const downBy = (limits: Thresholds) => `(
    sum by (job, network, subnet, window) (
      ${latest('stakewatch_maintenance_validator_down{subnet!="primary"}')}
      * ${SAME_VALIDATOR} group_left () max by (job, network, subnet, node_id) (stakewatch_validator_weight)
    )
    / on (job, network, subnet) group_left () sum by (job, network, subnet) (${latest('stakewatch_subnet_weight')})
    and ${OF_WINDOW} ${near(limits)}
  )`

export const maintenance = (limits: Thresholds): Group => ({
  name: 'stakewatch-maintenance',
  rules: [
    overrun,
    {
      alert: 'StakewatchMaintenanceTooLong',
      panel: 'validator: Maintenance windows over it',
      severity: 'warning',
      // A stake that ends or renews before the window has a new budget by then, if any. A lost reward cannot be lost again.
      expr: `${withMembers(LEFT, limits)}
  > on (job, network, subnet, node_id) group_left () (${MAY_STOP} > 0)
  unless ${withMembers(START, limits)} >= on (job, network, subnet, node_id) group_left () ${STAKE_END}`,
      for: 0,
      summary: 'A maintenance window is longer than a validator may be down.',
      description: `Maintenance window {{ $labels.window }} takes {{ humanizeDuration $value }}, and validator ${validator} may not be down for that long: it would lose its reward.`,
    },
    {
      alert: 'StakewatchMaintenanceStallsL1',
      panel: 'l1s: Weight of L1s by their own chain',
      severity: 'warning',
      expr: `1 - ${downBy(limits)} < ${limits.l1Blocks}
  and on (job, network, subnet) ${L1_SHARE}`,
      for: 0,
      summary: 'A maintenance window takes too much weight of an L1 away.',
      description:
        'When maintenance window {{ $labels.window }} opens, at most {{ humanizePercentage $value }} of the weight of L1 {{ $labels.network }}/{{ $labels.subnet }} is left, counting windows that are open at the same time. It would stop making blocks.',
    },
    {
      alert: 'StakewatchMaintenanceEndsStake',
      panel: 'validator: Maintenance windows over it',
      severity: 'warning',
      expr: `${withMembers(START, limits)} < on (job, network, subnet, node_id) group_left () ${STAKE_END}
  and ${withMembers(END, limits)} > on (job, network, subnet, node_id) group_left () ${STAKE_END}`,
      for: 0,
      summary: 'A stake ends or renews inside a maintenance window.',
      description: `The stake of validator ${validator} ends or renews inside maintenance window {{ $labels.window }}. Its last hours count for the reward, and an end needs someone to stake again.`,
    },
  ],
})

/** The rules that say what a window costs before it opens. */
export const costs = (limits: Thresholds): readonly Rule[] =>
  maintenance(limits).rules.filter(({ alert }) => alert !== OVERRUN)

// Maintenance windows: what suppresses alerts about covered objects, what pages when they are still down afterwards, and what a
// window costs.

import { maintenanceOverrun } from '../conditions/overrun.ts'
import { NODES, ownNodes, STARTING } from './causes.ts'
import { ruleOf } from './condition-rule.ts'
import { UNHEALTHY } from './health.ts'
import { ALL_NODES_IN, ALL_UNPLANNED, kinds, quiet, unlessMaintained, UNPLANNED } from './quiet.ts'
import { type Group, L1_SHARE, latest, type Recorded, type Rule, SAME_VALIDATOR, validator } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

const OVERRUN = maintenanceOverrun.alert
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
    ruleOf(maintenanceOverrun),
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

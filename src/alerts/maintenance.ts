// Maintenance windows: what suppresses alerts about covered objects, what pages when they are still down afterwards, and what a
// window costs before it opens.

import { maintenanceOverrun } from '../conditions/overrun.ts'
import { costs } from '../conditions/window-costs.ts'
import { NODES, ownNodes, STARTING } from './causes.ts'
import { ruleOf } from './condition-rule.ts'
import { UNHEALTHY } from './health.ts'
import { ALL_NODES_IN, ALL_UNPLANNED, kinds, quiet, unlessMaintained, UNPLANNED } from './quiet.ts'
import { type Group, latest, type Recorded, type Rule, SAME_VALIDATOR } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

const UP = 'upstream:stakewatch_upstream_up:max'
const USABLE = 'upstream:stakewatch_upstream_up:usable'

const overrunning = `ALERTS{alertname="${maintenanceOverrun.alert}",alertstate="firing"}`
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

export const maintenance = (_: Thresholds): Group => ({
  name: 'stakewatch-maintenance',
  rules: [maintenanceOverrun, ...costs].map(ruleOf),
})

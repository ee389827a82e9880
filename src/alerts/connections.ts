// Alerts about the connections of validators: long outages, and many short ones.

import { validatorDisconnected } from '../conditions/connections.ts'
import { voted } from './causes.ts'
import { ruleOf } from './condition-rule.ts'
import { quiet, unlessMaintained } from './quiet.ts'
import {
  endIsOver,
  isTracked,
  knownValidator,
  MINUTE,
  type Recorded,
  type Rule,
  SAME_VALIDATOR,
  validator,
} from './rule.ts'
import type { Thresholds } from './thresholds.ts'

/** Share of the voting observers that are connected to the validator: on the primary network, and in an L1. */
export const CONNECTED = 'validator:stakewatch_validator_connected:avg'
export const L1_CONNECTED = 'validator:stakewatch_l1_validator_connected:avg'

/**
 * Share of the last hour and day for which an observer was disconnected from the validator, by minute. Only the first five
 * minutes of an outage count: then the alert about the outage takes over. Minutes without a report count as connected.
 */
function missedOf(connected: string): Recorded[] {
  const missed = `observer:${connected}:missed`
  return [
    {
      record: missed,
      expr: `observer:${connected}:max == bool 0
  unless ${SAME_VALIDATOR} max_over_time(validator:${connected}:avg[5m]) < 0.5
  ${unlessMaintained('validator')}`,
    },
    { record: `observer:${connected}:missed1h`, expr: `sum_over_time(${missed}[1h:1m]) / 60` },
    { record: `observer:${connected}:missed1d`, expr: `sum_over_time(observer:${connected}:missed1h[1d:1h]) / 24` },
  ]
}

/**
 * Reports of the nodes that vote. One in maintenance restarts and loses peers by plan: it has a vote only about validators
 * that no other node reports on, which would else go away unseen.
 */
const opinions = (connected: string) => `${voted(connected)} unless on (job, network, source) ${quiet('node')}
or ${SAME_VALIDATOR} ${voted(connected)}`

export const recordedOfConnections: readonly Recorded[] = [
  /** 1 if the observer is connected to the validator. */
  { record: 'observer:stakewatch_validator_connected:max', expr: opinions('stakewatch_validator_connected') },
  { record: 'observer:stakewatch_l1_validator_connected:max', expr: opinions('stakewatch_l1_validator_connected') },
  /** Share of the observers that are connected to it. */
  {
    record: L1_CONNECTED,
    expr: 'avg without (source) (observer:stakewatch_l1_validator_connected:max)',
  },
  {
    record: CONNECTED,
    expr: 'avg without (source) (observer:stakewatch_validator_connected:max)',
  },
  ...missedOf('stakewatch_validator_connected'),
  ...missedOf('stakewatch_l1_validator_connected'),
]

/** The median share of the window, where most observers were disconnected for at least `share` of it. */
const missedBy = (connected: string, window: '1h' | '1d', share: number) => {
  const missed = `observer:${connected}:missed${window}`
  return `quantile without (source) (0.5, ${missed}) and avg without (source) (${missed} >= bool ${share}) > 0.5`
}
const BOTH_KINDS = ['stakewatch_validator_connected', 'stakewatch_l1_validator_connected'] as const
/** No second alert while the outage itself pages. */
const missed = (window: '1h' | '1d', share: number) => `(
    (${BOTH_KINDS.map((connected) => missedBy(connected, window, share)).join('\n    or ')})
    unless ${SAME_VALIDATOR} ALERTS{alertname=~"Stakewatch(L1)?ValidatorDisconnected",alertstate="firing"}
  )`

export const connections = (limits: Thresholds): readonly Rule[] => [
  ruleOf(validatorDisconnected),
  {
    alert: 'StakewatchL1ValidatorDisconnected',
    panel: 'validator: Observers connected in the L1',
    severity: 'critical',
    // An inactive validator has an alert of its own.
    expr: `${L1_CONNECTED} < 0.5
  unless ${SAME_VALIDATOR} (validator:stakewatch_l1_validator_active:inactive or ${endIsOver(limits)})
  ${isTracked}`,
    for: 5 * MINUTE,
    quietFor: 'validator',
    known: knownValidator(L1_CONNECTED),
    summary: 'The L1 validator is disconnected from most of the nodes that watch it.',
    description: `L1 validator ${validator} is disconnected: {{ humanizePercentage $value }} of the nodes that run the chain of the L1 are still connected to it. The L1 runs without its weight until it is back.`,
  },
  {
    alert: 'StakewatchValidatorFlapping',
    panel: 'validator: Connection by observer',
    severity: 'critical',
    expr: `${missed('1h', limits.awayMostly)}
  ${isTracked}`,
    for: 0,
    quietFor: 'validator',
    known: knownValidator(`${CONNECTED} or ${L1_CONNECTED}`),
    summary: 'The validator keeps disconnecting and is offline about half of the time.',
    description: `Most of the nodes that watch validator ${validator} saw it disconnected for {{ humanizePercentage $value }} of the last hour, in outages of a few minutes each. It loses uptime as if it were down.`,
  },
  {
    alert: 'StakewatchValidatorUnsteady',
    panel: 'validator: Connection by observer',
    severity: 'warning',
    expr: `(
    ${missed('1h', limits.awayOfHour)}
    or ${missed('1d', limits.awayOfDay)}
  )
  unless ${SAME_VALIDATOR} ${missed('1h', limits.awayMostly)}
  ${isTracked}`,
    for: 0,
    quietFor: 'validator',
    summary: 'The validator has many short outages.',
    description: `Most of the nodes that watch validator ${validator} saw it disconnected for {{ humanizePercentage $value }} of the last hour or day, in outages of a few minutes each. None was long enough to page, but its uptime is dropping.`,
  },
]

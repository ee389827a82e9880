// Alerts about the connections of validators: long outages, and many short ones.

import { l1ValidatorDisconnected, validatorDisconnected } from '../conditions/connections.ts'
import { validatorFlapping, validatorUnsteady } from '../conditions/flapping.ts'
import { voted } from './causes.ts'
import { ruleOf } from './condition-rule.ts'
import { quiet, unlessMaintained } from './quiet.ts'
import { type Recorded, type Rule, SAME_VALIDATOR } from './rule.ts'

/** Share of the voting observers that are connected to the validator: on the primary network, and in an L1. */
const CONNECTED = 'validator:stakewatch_validator_connected:avg'
const L1_CONNECTED = 'validator:stakewatch_l1_validator_connected:avg'

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

export const connections: readonly Rule[] = [
  validatorDisconnected,
  l1ValidatorDisconnected,
  validatorFlapping,
  validatorUnsteady,
].map(ruleOf)

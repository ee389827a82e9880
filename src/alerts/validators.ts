// Alerts about validators: their place in the set, and the other groups of rules about them.

import { ownNodes } from './causes.ts'
import { connections } from './connections.ts'
import {
  endIsOver,
  type Group,
  IN_SET,
  knownPlace,
  knownValidator,
  latest,
  MINUTE,
  NODES_DOWN,
  type Rule,
  SAME_VALIDATOR,
  TAMPERING,
  unmet,
  validator,
} from './rule.ts'
import type { Thresholds } from './thresholds.ts'
import { upgrades } from './upgrades.ts'
import { observers, rewards } from './validator-rewards.ts'
import { stakes, weightChanged } from './validator-stakes.ts'

/** Validators that were in the set within a day and left it without a known end. */
const left = `(
    ${IN_SET} == 0
    and ${latest('max_over_time(stakewatch_validator_in_set[1d])')} == 1
    unless ${latest('last_over_time(stakewatch_validator_end_timestamp_seconds[1d])')} <= time()
  )`
const REMOVED = `${latest('increase(stakewatch_validator_renewals_total{outcome="removed"}[1d])')} > 0`
const coveredElsewhere = (limits: Thresholds) => `unless ${SAME_VALIDATOR} ${endIsOver(limits)}
  unless ${SAME_VALIDATOR} ${REMOVED}`

/** Validators that left the set or are not in it. */
const places = (limits: Thresholds): readonly Rule[] => [
  {
    alert: 'StakewatchValidatorGone',
    panel: 'validator: Stake timeline',
    severity: 'critical',
    expr: `${left}
  ${coveredElsewhere(limits)}`,
    for: 5 * MINUTE,
    known: knownPlace,
    summary: 'The validator left the validator set unexpectedly.',
    description: `Validator ${validator} was in the validator set within the last day and no longer is, although no end of its validation was known. It earns nothing and cannot vote.`,
  },
  {
    alert: 'StakewatchValidatorNotInSet',
    panel: 'validator: Stake timeline',
    severity: 'warning',
    // A removal after a lost reward is only known 15 minutes later.
    expr: `${IN_SET} == 0
  unless ${left}
  ${coveredElsewhere(limits)}`,
    for: 20 * MINUTE,
    summary: 'A tracked validator is not in the validator set.',
    description: `Validator ${validator} is configured but not in the validator set: its stake has ended, or it never started. No other alert about it can fire.`,
  },
  {
    alert: 'StakewatchValidatorRemoved',
    panel: 'fleet: Validators that renew themselves',
    severity: 'warning',
    expr: REMOVED,
    // Three runs in a row have confirmed it.
    for: 0,
    summary: 'The auto-renewed validator was removed and lost the reward of its period.',
    description: `Validator ${validator} lost the reward of its period within the last day, so the next period did not start. It has left the validator set and earns nothing until it is staked again.`,
  },
]

const identity: readonly Rule[] = [
  {
    alert: 'StakewatchValidatorUnknown',
    panel: 'validator: Stake timeline',
    severity: 'critical',
    // Without a configured node, the collector never runs and no data is missing. While every node is still starting and one of
    // them is a tracked validator, StakewatchOwnNodeUnhealthy pages instead.
    expr: `${latest('stakewatch_validator_tracked')}
  unless ${SAME_VALIDATOR} stakewatch_validator_in_set
  and on (job, network) stakewatch_collector_interval_seconds{collector="validators"}
  unless on (job, network) (
    ${NODES_DOWN}
    or nodes:stakewatch_upstream_up:ready == 0 and on (job, network) ${ownNodes()}
  )`,
    for: 5 * MINUTE,
    quietFor: 'nodes',
    known: knownPlace,
    summary: 'There is no data about a tracked validator.',
    description: `No node reports whether validator ${validator} is in the validator set. stakewatch cannot see what happens to it, and no other alert about it can fire.`,
  },
  {
    alert: 'StakewatchValidatorTampered',
    panel: 'validator: What is declared of it',
    severity: 'critical',
    expr: unmet(`stakewatch_validator_expectation_met{expectation=~"${TAMPERING}"}`),
    for: 5 * MINUTE,
    known: knownValidator(latest('stakewatch_validator_expectation_met'), ', expectation'),
    summary: 'The reward owner, balance owner or signing key of the validator differs from the configuration.',
    description: `Validator ${validator} does not have the {{ $labels.expectation }} declared in the configuration. If your team did not change it, an attacker may control its rewards, balance or signatures.`,
  },
]

export const validators = (limits: Thresholds): Group => ({
  name: 'stakewatch-validators',
  rules: [
    ...connections(limits),
    ...observers(limits),
    ...rewards(limits),
    ...stakes(limits),
    ...places(limits),
    ...weightChanged(limits),
    ...upgrades(limits),
    ...identity,
  ],
})

// Validators that left the set, are not in it, or of which nothing is known; and those whose owners or keys were changed.

import { TAMPERING, validator } from '../../alerts/rule.ts'
import { type Condition, NOT_APPLICABLE, OK, onlyParts, problem, unknown } from '../condition.ts'
import { AMOUNT, ifKnown } from '../details.ts'
import { hasEnded, isTracked } from './connections.ts'
import { isEndOver, PLANNED_END } from '../l1-runways.ts'
import { IN_SET, isOwn, nodesOf, OWN_READS, READY_READS, TRACKED } from '../nodes.ts'
import { INTERVAL, runsOf } from '../runs.ts'
import { DAY, MINUTE } from '../../lib/seconds.ts'
import { greatest, growth, latestKnown } from '../track.ts'
import { areNodesDown, areNodesUnready } from '../upstreams.ts'
import type { Remembered, View } from '../view.ts'

const END = 'stakewatch_validator_end_timestamp_seconds'
const RENEWALS = 'stakewatch_validator_renewals_total'
const REMOVED = 'removed'
const EXPECTATIONS = 'stakewatch_validator_expectation_met'
const DECLARED = 'stakewatch_validator_expectation_known'
const REWARD = 'stakewatch_validator_potential_reward_tokens'
const BALANCE = 'stakewatch_l1_validator_balance_tokens'

const daily = (name: string, read: Remembered['read']): Remembered => ({ name, of: 'validator', for: DAY, read })
const inSetLately = daily('in_set', (view) => view.value(IN_SET))
const endLately = daily('end', (view) => view.value(END))
const removals = daily('removals', (view) => view.value(RENEWALS, { outcome: REMOVED }))

/** How often it was removed from the set within a day. */
const removedLately = (view: View) => growth(view.track(removals), view.now, DAY) ?? 0

/** It is in no set although it should be: its end was not planned, and no lost reward has removed it. */
const isMissing = (view: View) => view.value(IN_SET) === 0 && !isEndOver(view) && !(removedLately(view) > 0)

/** It was in the set within a day, and no end of its validation was known. */
function hasLeft(view: View): boolean {
  if (greatest(view.track(inSetLately), view.now, DAY) !== 1) return false
  const end = latestKnown(view.track(endLately), view.now, DAY)
  return end === undefined || end > view.now
}

const placeUnknown = (view: View) =>
  isTracked(view) ? unknown('no node reports whether it is in the set') : NOT_APPLICABLE

const PLACE_READS = [TRACKED, IN_SET, PLANNED_END, RENEWALS, removals]

export const validatorGone: Condition = {
  alert: 'StakewatchValidatorGone',
  panel: 'validator: Stake timeline',
  severity: 'critical',
  for: 5 * MINUTE,
  heldBy: ['validators'],
  reads: [inSetLately, endLately, ...PLACE_READS, END],
  judge: {
    validator(view) {
      if (!view.has(IN_SET)) return placeUnknown(view)
      return isMissing(view) && hasLeft(view) ? problem(0) : OK
    },
  },
  title: '{{ $labels.validator }} left the validator set',
  summary: 'The validator left the validator set unexpectedly.',
  action: 'Find out who removed {{ $labels.validator }} from {{ $labels.subnet }}, and have it registered again.',
  description: `Validator ${validator} was in the validator set within the last day and no longer is, although its validation had not come to an end. It earns nothing and cannot vote.`,
}

export const validatorNotInSet: Condition = {
  alert: 'StakewatchValidatorNotInSet',
  panel: 'validator: Stake timeline',
  severity: 'warning',
  // A removal after a lost reward is only known 15 minutes later.
  for: 20 * MINUTE,
  reads: PLACE_READS,
  explainedBy: ['validator_gone'],
  judge: {
    validator(view) {
      if (!view.has(IN_SET)) return placeUnknown(view)
      return isMissing(view) ? problem(0) : OK
    },
  },
  title: '{{ $labels.validator }} not in the validator set',
  summary: 'A tracked validator is not in the validator set.',
  action:
    '{{ if eq $labels.subnet "primary" }}Stake{{ else }}Register{{ end }} {{ $labels.validator }} again, or take it out of the configuration.',
  description: `Validator ${validator} is configured but not in the validator set: its validation has ended, or it never started. No other alert about it can fire.`,
}

export const validatorRemoved: Condition = {
  alert: 'StakewatchValidatorRemoved',
  panel: 'fleet: Validators that renew themselves',
  severity: 'warning',
  // Three runs in a row have confirmed it.
  for: 0,
  parts: ['outcome'],
  reads: [RENEWALS, removals],
  judge: {
    validator(view) {
      if (!view.has(RENEWALS)) return NOT_APPLICABLE
      const removed = removedLately(view)
      return onlyParts(removed > 0 ? [{ labels: { outcome: REMOVED }, verdict: problem(removed) }] : [])
    },
  },
  title: '{{ $labels.validator }} removed without reward',
  summary: 'The auto-renewed validator was removed and lost the reward of its period.',
  action: 'Find out why {{ $labels.validator }} was away, then stake it again.',
  description: `Validator ${validator} lost the reward of its period within the last day, so the next period did not start. It has left the validator set and earns nothing until it is staked again.`,
}

/** Without a configured node, the collector never runs and no data is missing. */
const isAsked = (network: View) => network.fact(validatorRuns).some((run) => run.has(INTERVAL))
const validatorRuns = runsOf('validators')

/** No node has caught up yet, and one of them is a tracked validator: the condition of that node pages. */
const areOwnNodesUnready = (network: View) => areNodesUnready(network) && network.fact(nodesOf).some(isOwn)

export const validatorUnknown: Condition = {
  alert: 'StakewatchValidatorUnknown',
  panel: 'validator: Stake timeline',
  severity: 'critical',
  for: 5 * MINUTE,
  quietFor: 'nodes',
  heldBy: ['validators'],
  reads: [TRACKED, IN_SET, INTERVAL, ...READY_READS, ...OWN_READS],
  judge: {
    validator(view) {
      if (!isTracked(view)) return NOT_APPLICABLE
      if (view.has(IN_SET)) return OK
      const network = view.of('network')
      if (!network.fact(isAsked)) return unknown('no node is configured that could report on it')
      if (network.fact(areNodesDown)) return unknown('no node of the network answers')
      if (network.fact(areOwnNodesUnready)) return unknown('no node of the network has caught up')
      return problem(1)
    },
  },
  title: '{{ $labels.validator }}: no data',
  summary: 'There is no data about a tracked validator.',
  action:
    'Check that a node of {{ $labels.network }} answers and lists {{ $labels.validator }}; add another node if none does.',
  description: `No node reports whether validator ${validator} is in the validator set. stakewatch cannot see what happens to it, and no other alert about it can fire.`,
}

const tamperingIn = (view: View, metric: string) =>
  view
    .all(metric)
    .map(({ labels, value }) => ({ expectation: labels['expectation']!, value }))
    .filter(({ expectation }) => TAMPERING.has(expectation))

export const validatorTampered: Condition = {
  alert: 'StakewatchValidatorTampered',
  panel: 'validator: What is declared of it',
  severity: 'critical',
  for: 5 * MINUTE,
  heldBy: ['validators'],
  parts: ['expectation'],
  reads: [TRACKED, IN_SET, EXPECTATIONS, DECLARED],
  judge: {
    validator(view) {
      const reported = tamperingIn(view, EXPECTATIONS).map(({ expectation, value }) => ({
        labels: { expectation },
        verdict: value === 0 ? problem(0) : OK,
      }))
      if (!isTracked(view) || hasEnded(view)) return onlyParts(reported, NOT_APPLICABLE)
      // Without a declaration there is nothing to hold: a reload may have removed it.
      const missing = tamperingIn(view, DECLARED)
        .filter(({ expectation }) => reported.every(({ labels }) => labels.expectation !== expectation))
        .map(({ expectation }) => ({
          labels: { expectation },
          verdict: unknown('nothing reports whether it is as declared'),
        }))
      const parts = [...reported, ...missing]
      return onlyParts(parts, parts.length === 0 ? NOT_APPLICABLE : undefined)
    },
  },
  title: '{{ $labels.validator }}: {{ $labels.expectation }} differs',
  summary: 'The reward owner, balance owner or signing key of the validator differs from the configuration.',
  action:
    'Ask your team who changed the {{ $labels.expectation }} of {{ $labels.validator }}; if no one did, secure the keys.',
  description: `Validator ${validator} does not have the {{ $labels.expectation }} declared in the configuration.${ifKnown('reward', ` Its reward of ${AMOUNT} goes to the owner on the P-Chain.`)}${ifKnown('balance', ` Its balance of ${AMOUNT} belongs to the owner on the P-Chain.`)} If your team did not change it, an attacker may control its rewards, balance or signatures.`,
  details: {
    reads: [REWARD, BALANCE],
    of: (view, { expectation }) => ({
      reward: expectation === 'reward_addresses' ? view.value(REWARD) : undefined,
      balance: expectation === 'remaining_balance_owner' ? view.value(BALANCE) : undefined,
    }),
  },
}

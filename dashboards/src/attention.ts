// Tiles for what needs attention first: all green means nothing to do.

import { thresholds } from '../../src/alerts/thresholds.ts'
import { expectations, notMet, UNMET } from './expectations.ts'
import { toPage, toPanel } from './links.ts'
import { messageLag } from './messages/lag.ts'
import { countBad, NONE, RATHER_NONE, tile } from './panels.ts'
import { CHAIN, ofFleet, VALIDATOR } from './select.ts'
import { unhealthy } from './nodes/tiles.ts'
import { instances, dataLate, runsFailing, upstreamsDown } from './self/tiles.ts'
import { leastWeight, orNoL1 } from './subnets/weight.ts'
import { COUNT, SECONDS } from './units.ts'
import { leavesIn, votesFor } from './validators/reward.ts'
import { budget } from './validators/validators.ts'
import { found } from './verdicts.ts'

const { one } = ofFleet
const inSet = one(VALIDATOR, 'validator_in_set')
const tracked = one(VALIDATOR, 'validator_tracked')
const depletion = `${one(VALIDATOR, 'l1_validator_depletion_timestamp_seconds')} - time()`
/** Without those whose reward is decided. */
const openBudget = `${budget} unless on (${VALIDATOR}) (${votesFor('lost')} > 0.5 or ${votesFor('safe')} > 0.5)`

const toTracked = toPanel('fleet', 'Tracked validators')
const toValidator = toPage('validator', 'Validator', 'network', 'subnet', 'validator')

export const attention = [
  tile(
    {
      title: 'Offline',
      description:
        "Validators that are disconnected, on the primary network or in their L1, by most nodes that have a vote. Without those in maintenance. Check the validator's own node first.",
      unit: COUNT,
    },
    {
      expr: countBad(found(ofFleet, VALIDATOR, 'validator_disconnected', 'l1_validator_disconnected')),
      names: ['validator'],
      marks: NONE,
      to: toTracked,
    },
  ),
  tile(
    {
      title: 'Not in set',
      description: 'Tracked validators outside the current set of their subnet: ended, removed, or mistyped.',
      unit: COUNT,
    },
    { expr: countBad(`${inSet} == bool 0`), names: ['validator'], marks: NONE, to: toTracked },
  ),
  tile(
    {
      title: 'Reward lost',
      description: 'Validators whose reward is lost by most votes: they cannot reach the required uptime.',
      unit: COUNT,
    },
    { expr: countBad(found(ofFleet, VALIDATOR, 'reward_lost')), names: ['validator'], marks: NONE, to: toTracked },
  ),
  tile(
    {
      title: 'Reward risk',
      description: 'Validators whose reward is at risk or lost by half of the votes or more.',
      unit: COUNT,
    },
    {
      expr: countBad(`${votesFor('at_risk|lost')} >= bool 0.5`),
      names: ['validator'],
      marks: RATHER_NONE,
      to: toTracked,
    },
  ),
  tile(
    {
      title: 'Budget',
      description:
        'How long the validator with the smallest downtime budget may still be down before it loses its reward, by the vote in the middle. Excludes validators whose reward is safe or lost by most votes; no data if there are no others. A two-week stake never has a budget of three days: the alerts account for that, the colour does not.',
      unit: SECONDS,
    },
    {
      expr: `bottomk(1, ${openBudget})`,
      marks: ['red', [thresholds.budgetEnding, 'orange'], [thresholds.budgetSmall, 'green']],
      names: ['validator'],
      to: toValidator,
    },
  ),
  tile(
    {
      title: 'Leaves in',
      description:
        'Time until the first validator leaves and has to be staked again. Excludes auto-renewed validations, unless their next period is 0 or the reward is lost by most votes.',
      unit: SECONDS,
    },
    {
      expr: `bottomk(1, ${leavesIn})`,
      marks: ['red', [thresholds.stakeEndLast, 'orange'], [thresholds.stakeEndNear, 'green']],
      names: ['validator'],
      to: toValidator,
    },
  ),
  tile(
    {
      title: 'Without data',
      description: 'Tracked validators without current data, which the other tiles leave out.',
      unit: COUNT,
    },
    {
      expr: countBad(`${tracked} unless ${inSet} or ${tracked} * 0`),
      names: ['validator'],
      marks: NONE,
      to: toTracked,
    },
  ),
  leastWeight,
  tile(
    {
      title: 'L1 inactive',
      description: 'L1 validators without balance. Their weight still counts in the total of the L1.',
      unit: COUNT,
    },
    {
      ...orNoL1(countBad(`${one(VALIDATOR, 'l1_validator_active')} == bool 0`)),
      names: ['validator'],
      marks: NONE,
      to: toPanel('l1s', 'L1 validators'),
    },
  ),
  tile(
    {
      title: 'L1 runway',
      description: "Time until the first active L1 validator's balance runs out at the current price.",
      unit: SECONDS,
    },
    {
      ...orNoL1(`bottomk(1, ${depletion})`),
      marks: ['red', [thresholds.runwayLast, 'orange'], [thresholds.runwayNear, 'green']],
      names: ['subnet', 'validator'],
      to: toValidator,
    },
  ),
  tile(
    {
      title: 'Chain stalled',
      description:
        'Chains without a new block for longer than configured, by the source with the newest block. A chain with blocks on nodes that the data service does not list is not stalled.',
      unit: COUNT,
    },
    {
      expr: countBad(found(ofFleet, CHAIN, 'chain_stalled')),
      names: ['chain'],
      marks: NONE,
      to: toPanel('chains', 'Heads'),
    },
  ),
  unhealthy(ofFleet),
  tile(
    {
      title: 'Unmet',
      description:
        'Configured expectations of validators, chains and wallets that are not met. If nodes disagree about a chain, the majority counts.',
      unit: COUNT,
    },
    { expr: notMet(expectations), marks: NONE, to: toPanel('fleet', UNMET) },
  ),
  messageLag(ofFleet, toPanel('messages', 'Routes', 'network')),
  upstreamsDown(ofFleet),
  runsFailing(ofFleet),
  dataLate(ofFleet),
  instances(ofFleet),
]

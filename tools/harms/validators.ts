// What can go wrong with validators, by their kind.

import { by, none, type Row } from './harms.ts'

const NODE_OF_ITS_OWN = 'A validator has no blocks of its own: see Node.'
const OBSERVERS = 'validator/Connection by observer'

const primary: Row = {
  offline: by(
    'StakewatchValidatorDisconnected',
    'a validator goes away, and comes back after twenty minutes',
    'fleet/Disconnected',
  ),
  flapping: by(
    ['StakewatchValidatorUnsteady', 'StakewatchValidatorFlapping'],
    'a validator is away for 50 % of every 252 s, in the eyes of 1',
    OBSERVERS,
  ),
  eroding: by(
    ['StakewatchDowntimeBudgetSmall', 'StakewatchRewardLost'],
    'a validator stays away until its reward is lost',
    ['validator/Downtime budget by observer', 'fleet/Reward lost'],
  ),
  stalled: none(NODE_OF_ITS_OWN),
  forked: none(NODE_OF_ITS_OWN),
  lagging: by(
    ['StakewatchValidatorNotUpgraded', 'StakewatchUpgradeNear'],
    'an upgrade comes that a validator and a node do not know',
    ['validator/Observers', 'chains/Peers of nodes and the next upgrade'],
  ),
  'wrong identity': by(
    'StakewatchValidatorTampered',
    'validator-tampered.test.yaml',
    'validator/What is declared of it',
  ),
  unhealthy: by(
    'StakewatchOwnNodeUnhealthy',
    'a node loses peers with a third of the stake',
    'chains/Health checks of nodes',
  ),
  'running out': by(
    'StakewatchDowntimeBudgetEnding',
    'a validator with eight hours of downtime left comes and goes',
    'fleet/Least budget',
  ),
  ending: by(
    ['StakewatchStakeEndPlanned', 'StakewatchStakeEnding', 'StakewatchStakeEndsSoon'],
    'stakes come to their ends',
    'fleet/Stake ends in',
  ),
  leaving: by(
    ['StakewatchValidatorGone', 'StakewatchValidatorNotInSet', 'StakewatchDelegationEnding'],
    [
      'not-in-set.test.yaml',
      'a stake ends and is not renewed',
      'much of what is delegated to a validator leaves within a week',
    ],
    ['fleet/Not in the set', 'validator/Delegations that end'],
  ),
  changed: by(
    ['StakewatchValidatorTampered', 'StakewatchExpectationNotMet', 'StakewatchWeightChanged'],
    [
      'the rewards of a validator and the balance of another get other owners',
      'a stake is over, and the next one has another fee',
      'weight-changed.test.yaml',
    ],
    ['fleet/Expectations of validators', 'validator/Stake with delegations'],
  ),
  unreachable: by(
    ['StakewatchValidatorUnreachable', 'StakewatchObserversDisagree'],
    [
      'a validator answers less than half of the requests of the data service',
      'one of two nodes loses its way to a validator',
    ],
    ['validator/Answers to the data service', OBSERVERS],
  ),
  unknown: by(
    ['StakewatchValidatorUnknown', 'StakewatchValidatorUnobserved', 'StakewatchExpectationUnknown'],
    ['no node lists the validators any more', 'the only node is the validator itself', 'expectation-unknown.test.yaml'],
    ['fleet/Without data', 'fleet/Maintenance: which validators may stop now', 'self/Expectations known'],
  ),
  contradicted: by('StakewatchObserversDisagree', 'one of two nodes loses its way to a validator', OBSERVERS),
}

const LOSES_PERIOD = 'an auto-renewed validator loses the reward of its period, and leaves at the end of it'

const renewed: Row = {
  ...primary,
  offline: by('StakewatchValidatorDisconnected', LOSES_PERIOD, 'fleet/Disconnected'),
  eroding: by(
    ['StakewatchDowntimeBudgetSmall', 'StakewatchRewardLost'],
    ['downtime-budget.test.yaml', LOSES_PERIOD],
    ['validator/Downtime budget by observer', 'fleet/Reward lost'],
  ),
  ending: by('StakewatchStakeEndsSoon', LOSES_PERIOD, 'fleet/Validators that renew themselves'),
  leaving: by(
    ['StakewatchValidatorRemoved', 'StakewatchDelegationEnding'],
    [LOSES_PERIOD, 'much of what is delegated to a validator leaves within a week'],
    ['fleet/Validators that renew themselves', 'validator/Delegations that end'],
  ),
}

const IN_L1 = 'l1s/Connections to L1 validators'
const OWN_REWARDS = 'No reward of the P-Chain depends on its uptime: see flapping.'

const l1Validator: Row = {
  ...primary,
  offline: by(
    'StakewatchL1ValidatorDisconnected',
    'a tracked validator of an L1 goes offline for forty minutes and comes back',
    IN_L1,
  ),
  flapping: by(
    ['StakewatchValidatorUnsteady', 'StakewatchValidatorFlapping'],
    'flapping.test.yaml',
    'validator/Connection by observer',
  ),
  eroding: none(OWN_REWARDS),
  unhealthy: by(
    ['StakewatchOwnChainNotCreated', 'StakewatchChainProcessDead'],
    ['the plugin of an L1 is missing after a restart of its validator', 'the process of an L1 dies on a node'],
    ['chains/Nodes themselves', 'l1s/Chains of L1s on nodes'],
  ),
  'running out': by(
    [
      'StakewatchL1BalanceLow',
      'StakewatchL1BalanceEnding',
      'StakewatchL1BalanceRunningOut',
      'StakewatchL1ValidatorInactive',
      'StakewatchL1PriceRising',
    ],
    [
      'the balance of a validator of an L1 runs out',
      'a budget ends within a day, and then L1 validation costs half as much again as a day before',
    ],
    ['fleet/L1 runway', 'l1s/Inactive', 'l1s/Price of an L1 validator'],
  ),
  ending: none('It has no term: it stays until its balance runs out or it is removed.'),
  leaving: by('StakewatchValidatorGone', 'a tracked validator of an L1 is removed', 'fleet/Not in the set'),
  changed: by(
    ['StakewatchValidatorTampered', 'StakewatchWeightChanged'],
    [
      'the rewards of a validator and the balance of another get other owners',
      'the weight of a validator of an L1 is changed twice',
    ],
    ['fleet/Expectations of validators', 'validator/Of the weight'],
  ),
  unreachable: by('StakewatchObserversDisagree', 'observers.test.yaml', 'validator/Connection by observer'),
  unknown: by(
    ['StakewatchValidatorUnknown', 'StakewatchValidatorUnobserved', 'StakewatchExpectationUnknown'],
    [
      'no node lists the validators any more',
      'the only node that runs the chain of an L1 comes back as another one, which does not run it',
      'expectation-unknown.test.yaml',
    ],
    ['fleet/Without data', 'l1s/Chains of L1s on nodes', 'self/Expectations known'],
  ),
  contradicted: by(
    'StakewatchSourcesDisagree',
    'the data service says that an L1 validator has a balance, and the node that it has none',
    'validator/Balance of the validator',
  ),
}

const permissioned: Row = {
  ...l1Validator,
  offline: by(
    'StakewatchL1ValidatorDisconnected',
    'a validator that the owner of a subnet added goes away, and comes back after twenty minutes',
    IN_L1,
  ),
  flapping: by(
    ['StakewatchValidatorUnsteady', 'StakewatchValidatorFlapping'],
    'a validator that the owner of a subnet added is away for half of every 252 s',
    OBSERVERS,
  ),
  'running out': none('It pays no fee and has no balance.'),
  ending: by('StakewatchStakeEnding', 'stake-ending.test.yaml', 'fleet/Stake ends in'),
  leaving: by('StakewatchValidatorGone', 'the owner of a subnet removes a validator', 'fleet/Not in the set'),
  changed: by(
    'StakewatchWeightChanged',
    'the weight of a validator of an L1 is changed twice',
    'validator/Of the weight',
  ),
  'wrong identity': none('Its record has no key: the node id is its whole identity.'),
  contradicted: by('StakewatchObserversDisagree', 'observers.test.yaml', 'validator/Connection by observer'),
}

export const validatorRows = { primary, renewed, l1Validator, permissioned }

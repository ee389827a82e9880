// Cells that no incident fills: the alert fires in a promtool test. A new alert has an incident, which names its cells itself.

import type { Filling } from './harms.ts'

export const byPromtool: readonly Filling[] = [
  {
    alert: 'StakewatchAnswersRefused',
    proof: 'answers-refused.test.yaml',
    fills: { service: { contradicted: 'self/Refused answers' } },
  },
  {
    alert: 'StakewatchThroughputCollapsed',
    proof: 'chain-use.test.yaml',
    fills: { evmChain: { unhealthy: 'chains/Transactions' } },
  },
  { alert: 'StakewatchDown', proof: 'down.test.yaml', fills: { self: { unknown: 'self/Instances of stakewatch' } } },
  {
    alert: 'StakewatchDowntimeBudgetSmall',
    proof: 'downtime-budget.test.yaml',
    fills: { renewed: { eroding: 'validator/Downtime budget by observer' } },
  },
  {
    alert: 'StakewatchExpectationNotMet',
    proof: 'expectation-not-met.test.yaml',
    fills: {
      evmChain: { 'wrong identity': 'chains/Expectations of chains', changed: 'chains/Expectations of chains' },
    },
  },
  {
    alert: 'StakewatchExpectationUnknown',
    proof: 'expectation-unknown.test.yaml',
    fills: {
      primary: { unknown: 'self/Expectations known' },
      l1Validator: { unknown: 'self/Expectations known' },
      pChain: { unknown: 'self/Expectations known' },
      evmChain: { unknown: 'self/Expectations known' },
    },
  },
  {
    alert: 'StakewatchValidatorFlapping',
    proof: 'flapping.test.yaml',
    fills: { l1Validator: { flapping: 'validator/Connection by observer' } },
  },
  {
    alert: 'StakewatchValidatorUnsteady',
    proof: 'flapping.test.yaml',
    fills: { l1Validator: { flapping: 'validator/Connection by observer' } },
  },
  { alert: 'StakewatchIcmStuck', proof: 'icm-stuck.test.yaml', fills: { route: { leaving: 'messages/Abandoned' } } },
  {
    alert: 'StakewatchMessagesUnknown',
    proof: 'messages-unknown.test.yaml',
    fills: { route: { unknown: 'messages/Signatures of validators' } },
  },
  {
    alert: 'StakewatchNodeBehind',
    proof: 'node-behind.test.yaml',
    fills: { xChain: { lagging: 'chains/Blocks behind the data service' } },
  },
  {
    alert: 'StakewatchNodeForked',
    proof: 'node-forked.test.yaml',
    fills: { xChain: { forked: 'chains/Forked', contradicted: 'chains/Forked' } },
  },
  {
    alert: 'StakewatchNodeUnhealthy',
    proof: 'node-unhealthy.test.yaml',
    fills: { node: { unhealthy: 'chains/Nodes themselves' } },
  },
  {
    alert: 'StakewatchValidatorGone',
    proof: 'not-in-set.test.yaml',
    fills: { primary: { leaving: 'fleet/Not in the set' } },
  },
  {
    alert: 'StakewatchObserversDisagree',
    proof: 'observers.test.yaml',
    fills: {
      l1Validator: { unreachable: 'validator/Connection by observer' },
      permissioned: { contradicted: 'validator/Connection by observer' },
    },
  },
  {
    alert: 'StakewatchSeriesMissing',
    proof: 'series-missing.test.yaml',
    fills: { self: { 'wrong identity': 'self/Instances', unreachable: 'self/Instances' } },
  },
  {
    alert: 'StakewatchSourcesDisagree',
    proof: 'sources-disagree.test.yaml',
    fills: {
      node: { contradicted: 'l1s/Subnets' },
      pChain: { 'wrong identity': 'self/Answers of another chain', contradicted: 'l1s/Subnets' },
      l1: { contradicted: 'l1s/Subnets' },
      wallet: { 'wrong identity': 'self/Answers of another chain', contradicted: 'wallets/Expectations of wallets' },
      service: { 'wrong identity': 'self/Answers of another chain' },
    },
  },
  {
    alert: 'StakewatchStakeEnding',
    proof: 'stake-ending.test.yaml',
    fills: { permissioned: { ending: 'fleet/Stake ends in' } },
  },
  {
    alert: 'StakewatchChainUnknown',
    proof: 'unknown-things.test.yaml',
    fills: { pChain: { unknown: 'chains/Heads' } },
  },
  {
    alert: 'StakewatchValidatorTampered',
    proof: 'validator-tampered.test.yaml',
    fills: { primary: { 'wrong identity': 'validator/What is declared of it' } },
  },
  {
    alert: 'StakewatchWeightChanged',
    proof: 'weight-changed.test.yaml',
    fills: { primary: { changed: 'validator/Stake with delegations' } },
  },
]

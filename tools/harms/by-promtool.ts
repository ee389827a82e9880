// Cells that no incident fills: the alert fires in a promtool test. A new alert has an incident, which names its cells itself.

import type { Filling, Fills } from './harms.ts'

const filledIn = (file: string, alert: string, fills: Fills): Filling => ({ alert, proof: `${file}.test.yaml`, fills })

export const byPromtool: readonly Filling[] = [
  filledIn('answers-refused', 'StakewatchAnswersRefused', { service: { contradicted: 'self/Refused answers' } }),
  filledIn('chain-use', 'StakewatchThroughputCollapsed', { evmChain: { unhealthy: 'chains/Transactions' } }),
  filledIn('down', 'StakewatchDown', { self: { unknown: 'self/Instances of stakewatch' } }),
  filledIn('downtime-budget', 'StakewatchDowntimeBudgetSmall', {
    renewed: { eroding: 'validator/Downtime budget by observer' },
  }),
  filledIn('expectation-not-met', 'StakewatchExpectationNotMet', {
    evmChain: { 'wrong identity': 'chains/Expectations of chains', changed: 'chains/Expectations of chains' },
  }),
  filledIn('expectation-unknown', 'StakewatchExpectationUnknown', {
    primary: { unknown: 'self/Expectations known' },
    l1Validator: { unknown: 'self/Expectations known' },
    pChain: { unknown: 'self/Expectations known' },
    evmChain: { unknown: 'self/Expectations known' },
  }),
  filledIn('flapping', 'StakewatchValidatorFlapping', {
    l1Validator: { flapping: 'validator/Connection by observer' },
  }),
  filledIn('flapping', 'StakewatchValidatorUnsteady', {
    l1Validator: { flapping: 'validator/Connection by observer' },
  }),
  filledIn('icm-stuck', 'StakewatchIcmStuck', { route: { leaving: 'messages/Abandoned' } }),
  filledIn('messages-unknown', 'StakewatchMessagesUnknown', {
    route: { unknown: 'messages/Signatures of validators' },
  }),
  filledIn('node-behind', 'StakewatchNodeBehind', { xChain: { lagging: 'chains/Blocks behind the data service' } }),
  filledIn('node-forked', 'StakewatchNodeForked', {
    xChain: { forked: 'chains/Forked', contradicted: 'chains/Forked' },
  }),
  filledIn('node-unhealthy', 'StakewatchNodeUnhealthy', { node: { unhealthy: 'chains/Nodes themselves' } }),
  filledIn('not-in-set', 'StakewatchValidatorGone', { primary: { leaving: 'fleet/Not in set' } }),
  filledIn('observers', 'StakewatchObserversDisagree', {
    l1Validator: { unreachable: 'validator/Connection by observer' },
    permissioned: { contradicted: 'validator/Connection by observer' },
  }),
  filledIn('down', 'StakewatchDown', { self: { 'wrong identity': 'self/Instances of stakewatch' } }),
  filledIn('series-missing', 'StakewatchSeriesMissing', { self: { unreachable: 'self/Instances of stakewatch' } }),
  filledIn('sources-disagree', 'StakewatchSourcesDisagree', {
    node: { contradicted: 'l1s/Subnets' },
    pChain: { 'wrong identity': 'self/Answers of another chain', contradicted: 'l1s/Subnets' },
    l1: { contradicted: 'l1s/Subnets' },
    wallet: { 'wrong identity': 'self/Answers of another chain', contradicted: 'wallets/Expectations of wallets' },
    service: { 'wrong identity': 'self/Answers of another chain' },
  }),
  filledIn('stake-ending', 'StakewatchStakeEnding', { permissioned: { ending: 'fleet/Leaves in' } }),
  filledIn('unknown-things', 'StakewatchChainUnknown', { pChain: { unknown: 'chains/Heads' } }),
  filledIn('validator-tampered', 'StakewatchValidatorTampered', {
    primary: { 'wrong identity': 'validator/What is declared of it' },
  }),
  filledIn('weight-changed', 'StakewatchWeightChanged', { primary: { changed: 'validator/Stake with delegations' } }),
]

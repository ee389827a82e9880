// What can go wrong with nodes, chains and L1s.

import { by, none, type Row } from './harms.ts'

const AWAY_FOUR_OF_SIX = 'a node that is a tracked validator is down for four of every six minutes'
const ON_A_FORK = 'a node is on a fork of the P-Chain, and another one of the C-Chain'
const OLD_SNAPSHOT = 'a node restarts from an old snapshot, twice, the second one older'
const SERVICE_BEHIND = 'the data service falls behind, and then further'
const LOSES_PEERS = 'a node loses peers with a third of the stake'

const node: Row = {
  offline: by(
    ['StakewatchUpstreamDown', 'StakewatchNodesDown'],
    ['one of two nodes is down', 'both nodes are down'],
    'self/Upstreams',
  ),
  flapping: by(
    ['StakewatchOwnNodeUnsteady', 'StakewatchUpstreamUnsteady', 'StakewatchNodesUnsteady'],
    [
      AWAY_FOUR_OF_SIX,
      'a node that only watches restarts every five minutes for an hour',
      'both nodes are down for four of every six minutes',
    ],
    'self/Upstreams',
  ),
  eroding: by(
    'StakewatchRewardingStakeLow',
    'one of two voters has not seen enough uptime of a node',
    'chains/Stake that would vote for the reward',
  ),
  stalled: by(
    ['StakewatchOwnNodeUnhealthy', 'StakewatchNodeBootstrapping', 'StakewatchIndexStalled'],
    [
      'the health checks of a node hang, first for six minutes and then for good',
      'a node that only watches bootstraps for an hour and a quarter',
      'the index of a node stands still, first for a quarter of an hour and then for good',
    ],
    ['chains/Health checks of nodes', 'chains/Nodes themselves', 'chains/Age of the newest blocks on nodes'],
  ),
  forked: by('StakewatchNodeForked', ON_A_FORK, 'chains/Forked'),
  lagging: by(
    ['StakewatchNodeBehind', 'StakewatchNodeNotUpgraded', 'StakewatchUpgradeNear'],
    [
      OLD_SNAPSHOT,
      'first some and then most of the network is ready for an upgrade that a node does not know',
      'an upgrade comes that a validator and a node do not know',
    ],
    ['chains/Blocks behind the data service', 'chains/Not upgraded'],
  ),
  'wrong identity': by(
    ['StakewatchNodeOfOtherNetwork', 'StakewatchNodeExchanged'],
    ['a node is moved to another network', 'a node loses its staking key and comes back as another one'],
    'chains/Nodes themselves',
  ),
  unhealthy: by(
    [
      'StakewatchOwnNodeUnhealthy',
      'StakewatchNodeUnhealthy',
      'StakewatchOwnChainNotCreated',
      'StakewatchChainNotCreated',
      'StakewatchChainProcessDead',
      'StakewatchUpstreamClockWrong',
    ],
    [
      LOSES_PEERS,
      'node-unhealthy.test.yaml',
      'the plugin of an L1 is missing after a restart of its validator',
      'a node that only watches an L1 has no plugin for it',
      'the process of an L1 dies on a node',
      'the clock of one node is ten minutes fast',
    ],
    ['chains/Health checks of nodes', 'chains/Nodes themselves', 'chains/Chain dead', 'self/Clock ahead of upstreams'],
  ),
  'running out': none('A node checks its own disk: see unhealthy.'),
  ending: none('It has no term; software that is too old for an upgrade is lagging.'),
  leaving: none('A node that was taken away is offline.'),
  changed: by(
    ['StakewatchAdminApiExposed', 'StakewatchLoggerVerbose', 'StakewatchExpectationNotMet'],
    [
      'the admin interface of a node is opened',
      'an operator leaves a logger of a node on debug',
      'the index and the admin interface of a node are turned off',
    ],
    ['chains/Admin wrong', 'chains/Loggers of nodes', 'chains/Heads of nodes'],
  ),
  unreachable: by(
    ['StakewatchPeerStakeLow', 'StakewatchOwnNodeUnhealthy'],
    ['a node whose health page is closed loses peers', LOSES_PEERS],
    ['chains/Peers of nodes and the next upgrade', 'chains/Health checks of nodes'],
  ),
  unknown: by('StakewatchCollectorFailing', 'no node lists the validators any more', 'self/Collectors'),
  contradicted: by(
    ['StakewatchAnswersRefused', 'StakewatchSourcesDisagree'],
    ['a node reports times that lie in the future', 'sources-disagree.test.yaml'],
    ['self/Refused answers', 'l1s/Subnets'],
  ),
}

const NO_MACHINE = 'A chain is no machine: either it stalls, or its nodes are offline.'
const SHORT_PAUSES = 'A pause shorter than `stall_after` costs nothing; a longer one is a stall.'
const NO_TERM = 'A chain has no term, and no part of it can leave.'

const pChain: Row = {
  offline: none(NO_MACHINE),
  flapping: none(SHORT_PAUSES),
  eroding: none('It loses stake only with its validators, and no operator can change that.'),
  stalled: by('StakewatchChainStalled', 'the P-Chain stands still, and goes on after ten minutes', [
    'fleet/Chains stalled',
    'chains/Age of the heads',
  ]),
  forked: by('StakewatchNodeForked', ON_A_FORK, 'chains/Forked'),
  lagging: by(
    ['StakewatchDataServiceBehind', 'StakewatchNodeBehind'],
    [SERVICE_BEHIND, OLD_SNAPSHOT],
    ['chains/Heads', 'chains/Blocks behind the data service'],
  ),
  'wrong identity': by('StakewatchSourcesDisagree', 'sources-disagree.test.yaml', 'self/Answers of another chain'),
  unhealthy: by('StakewatchOwnNodeUnhealthy', LOSES_PEERS, 'chains/Health checks of nodes'),
  'running out': by(
    'StakewatchGasPriceHigh',
    'the gas price of the P-Chain rises to eight times the least one, then to fifteen times',
    'chains/Gas price of the P-Chain',
  ),
  ending: none(NO_TERM),
  leaving: none(NO_TERM),
  changed: none('Only an upgrade of the network changes it: see Node, lagging.'),
  unreachable: by('StakewatchNodesDown', 'both nodes are down', 'self/Upstreams'),
  unknown: by(
    ['StakewatchChainUnknown', 'StakewatchExpectationUnknown'],
    ['unknown-things.test.yaml', 'expectation-unknown.test.yaml'],
    ['chains/Heads', 'self/Expectations known'],
  ),
  contradicted: by('StakewatchSourcesDisagree', 'sources-disagree.test.yaml', 'l1s/Subnets'),
}

const xChain: Row = {
  ...pChain,
  stalled: by('StakewatchChainStalled', 'the X-Chain stalls', ['fleet/Chains stalled', 'chains/Age of the heads']),
  forked: by('StakewatchNodeForked', 'node-forked.test.yaml', 'chains/Forked'),
  lagging: by('StakewatchNodeBehind', 'node-behind.test.yaml', 'chains/Blocks behind the data service'),
  'running out': none('Its fees are fixed: nothing that it needs can run short.'),
  contradicted: by('StakewatchNodeForked', 'node-forked.test.yaml', 'chains/Forked'),
}

const EVM_EXPECTATION = 'expectation-not-met.test.yaml'

const cChain: Row = {
  ...pChain,
  stalled: by('StakewatchChainStalled', 'the C-Chain stands still', [
    'fleet/Chains stalled',
    'chains/Age of the heads',
  ]),
  unhealthy: by(
    ['StakewatchOwnNodeUnhealthy', 'StakewatchThroughputCollapsed'],
    [LOSES_PEERS, 'a busy C-Chain takes no transactions any more'],
    ['chains/Health checks of nodes', 'chains/Transactions'],
  ),
  'running out': none('Short gas raises its fees, and no stake or balance depends on them.'),
  contradicted: by('StakewatchNodeForked', ON_A_FORK, 'chains/Forked'),
}

const evmChain: Row = {
  ...cChain,
  stalled: by('StakewatchChainStalled', 'the chain of an L1 stalls', [
    'fleet/Chains stalled',
    'chains/Age of the heads',
  ]),
  forked: none('A gap: blocks of two nodes of an L1 are not compared yet.'),
  lagging: by('StakewatchDataServiceBehind', SERVICE_BEHIND, 'chains/Heads'),
  'wrong identity': by('StakewatchExpectationNotMet', EVM_EXPECTATION, 'chains/Expectations of chains'),
  unhealthy: by(
    ['StakewatchChainNotRunning', 'StakewatchChainProcessDead', 'StakewatchThroughputCollapsed'],
    ['the process of an L1 that no data service lists dies on both nodes', 'chain-use.test.yaml'],
    ['chains/Heads of nodes', 'chains/Chain dead', 'chains/Transactions'],
  ),
  changed: by('StakewatchExpectationNotMet', EVM_EXPECTATION, 'chains/Expectations of chains'),
  unreachable: by(
    ['StakewatchChainNotCreated', 'StakewatchOwnChainNotCreated'],
    [
      'a node that only watches an L1 has no plugin for it',
      'the plugin of an L1 is missing after a restart of its validator',
    ],
    'chains/Nodes themselves',
  ),
  unknown: by(
    ['StakewatchChainUnknown', 'StakewatchExpectationUnknown'],
    ['an operator configures an unknown chain', 'expectation-unknown.test.yaml'],
    ['chains/Heads', 'self/Expectations known'],
  ),
  contradicted: none('A gap: blocks of two nodes of an L1 are not compared yet.'),
}

const ONE_AFTER_THE_OTHER = 'the validators of an L1 go away one after the other'
const WEIGHT = 'l1s/Weight of L1s by their own chain'

const l1: Row = {
  offline: by(
    ['StakewatchL1Stalled', 'StakewatchL1MessagesUnsigned'],
    [ONE_AFTER_THE_OTHER],
    ['fleet/L1 weight', WEIGHT],
  ),
  flapping: none('Every fall below a threshold for two minutes is a page.'),
  eroding: by(
    ['StakewatchL1WeightLow', 'StakewatchL1OneStepFromStall'],
    [ONE_AFTER_THE_OTHER, 'a validator of an L1 goes away, and the heaviest one must not'],
    [WEIGHT, 'l1s/Weight that an L1 may still lose'],
  ),
  stalled: by('StakewatchL1Stalled', 'two validators of an L1 run dry on the same day, and it stands still', WEIGHT),
  forked: none('Its chain has the blocks: see EVM chain.'),
  lagging: by(
    'StakewatchDataStale',
    'the data service lists L1 validators out of a cache',
    'l1s/Age of listed balances',
  ),
  'wrong identity': none('The configuration names it by its id, which is unique.'),
  unhealthy: by('StakewatchL1WeightLow', ONE_AFTER_THE_OTHER, WEIGHT),
  'running out': by(
    ['StakewatchL1WeightEnding', 'StakewatchL1OneStepFromStall', 'StakewatchL1PriceRising'],
    [
      'balances of an L1 that carry a third of its weight run out within a week',
      'the balance of the validator runs out without which an L1 stands still',
      'a budget ends within a day, and then L1 validation costs half as much again as a day before',
    ],
    ['l1s/Weight about to go inactive', 'l1s/To spare', 'l1s/Price of an L1 validator'],
  ),
  ending: none('An L1 has no term: its validators pay per second.'),
  leaving: by('StakewatchValidatorGone', 'a tracked validator of an L1 is removed', 'fleet/Not in the set'),
  changed: by('StakewatchSubnetChanged', 'a subnet gets another owner', 'l1s/Changes'),
  unreachable: by(
    ['StakewatchChainNotCreated', 'StakewatchOwnChainNotCreated'],
    [
      'a node that only watches an L1 has no plugin for it',
      'the plugin of an L1 is missing after a restart of its validator',
    ],
    'chains/Nodes themselves',
  ),
  unknown: by('StakewatchCollectorFailing', 'a list that is asked for once in five minutes fails', 'self/Collectors'),
  contradicted: by('StakewatchSourcesDisagree', 'sources-disagree.test.yaml', 'l1s/Subnets'),
}

export const chainRows = { node, pChain, xChain, cChain, evmChain, l1 }

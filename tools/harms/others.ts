// What can go wrong with wallets, messages, services and stakewatch itself.

import { by, none, type Row } from './harms.ts'

const SERVICE_BEHIND = 'the data service falls behind, and then further'
const NOT_A_PROCESS = 'A wallet runs nowhere.'

const wallet: Row = {
  offline: none(NOT_A_PROCESS),
  flapping: none(NOT_A_PROCESS),
  eroding: none('A falling balance matters below its minimum: see running out.'),
  stalled: by('StakewatchRewardOverdue', 'a reward has not come six hours after its stake was over', 'wallets/Stakes'),
  forked: none(NOT_A_PROCESS),
  lagging: by('StakewatchDataServiceBehind', SERVICE_BEHIND, 'chains/Heads'),
  'wrong identity': by('StakewatchSourcesDisagree', 'sources-disagree.test.yaml', 'self/Answers of another chain'),
  unhealthy: none(NOT_A_PROCESS),
  'running out': by('StakewatchWalletLow', 'a wallet runs low, and is filled again', [
    'wallets/Unmet',
    'wallets/What can be spent',
  ]),
  ending: none('A wallet with many delegations always has one that ends soon: see the validators.'),
  leaving: by(
    'StakewatchUnexpectedOutflow',
    'something leaves a wallet that nothing may leave',
    'wallets/Expectations of wallets',
  ),
  changed: by(
    'StakewatchUnexpectedOutflow',
    'something leaves a wallet that nothing may leave',
    'wallets/Expectations of wallets',
  ),
  unreachable: none(NOT_A_PROCESS),
  unknown: by(
    ['StakewatchWalletUnknown', 'StakewatchExpectationUnknown'],
    [
      'the data service has no balances of EVM chains any more',
      'the data service does not tell transactions of wallets any more',
    ],
    ['wallets/Unknown', 'self/Expectations known'],
  ),
  contradicted: by('StakewatchSourcesDisagree', 'sources-disagree.test.yaml', 'wallets/Expectations of wallets'),
}

const RELAYER_STOPS = 'the relayer stops, and goes on fifty minutes later'
const OLDEST = 'messages/Oldest pending message of routes'
const NO_SIGNATURES = 'the validators of an L1 sign no messages'
const SIGNATURES = 'messages/Signatures of validators'

const route: Row = {
  offline: by('StakewatchIcmStuck', RELAYER_STOPS, OLDEST),
  flapping: none('A relayer that comes and goes delivers late: see stalled.'),
  eroding: by('StakewatchL1WeightLow', 'the validators of an L1 go away one after the other', 'fleet/L1 weight'),
  stalled: by('StakewatchIcmStuck', RELAYER_STOPS, OLDEST),
  forked: none('A route has no blocks of its own.'),
  lagging: by('StakewatchIcmStuck', RELAYER_STOPS, OLDEST),
  'wrong identity': none('Messages carry the ids of the two configured chains.'),
  unhealthy: by('StakewatchSignaturesMissing', NO_SIGNATURES, SIGNATURES),
  'running out': by('StakewatchWalletLow', 'a wallet runs low, and is filled again', 'wallets/What can be spent'),
  ending: none('A route has no term: it exists as long as its chains.'),
  leaving: by('StakewatchIcmStuck', 'icm-stuck.test.yaml', 'messages/Abandoned'),
  changed: by('StakewatchSubnetChanged', 'a subnet gets another owner', 'l1s/Changes'),
  unreachable: by(
    ['StakewatchL1MessagesUnsigned', 'StakewatchSignaturesMissing'],
    ['the validators of an L1 go away one after the other', NO_SIGNATURES],
    ['fleet/L1 weight', SIGNATURES],
  ),
  unknown: by(
    'StakewatchMessagesUnknown',
    ['the data service does not have the messages of routes any more', 'messages-unknown.test.yaml'],
    ['messages/Routes', SIGNATURES],
  ),
  contradicted: none('Only the data service reports messages and signatures.'),
}

const service: Row = {
  offline: by(
    'StakewatchUpstreamDown',
    ['the data service is away for an hour', 'the metrics service does not answer'],
    'self/Upstreams',
  ),
  flapping: by(
    'StakewatchUpstreamUnsteady',
    'the data service is down for four of every six minutes',
    'self/Upstreams',
  ),
  eroding: none('It can only lose quota: see running out.'),
  stalled: by(
    'StakewatchDataStale',
    [
      'the metrics service works out no averages for a day, and then for another one',
      'the data service lists L1 validators out of a cache',
    ],
    ['chains/Heads', 'l1s/Age of listed balances'],
  ),
  forked: by(
    'StakewatchNodeForked',
    'a node is on a fork of the P-Chain, and another one of the C-Chain',
    'chains/Forked',
  ),
  lagging: by('StakewatchDataServiceBehind', SERVICE_BEHIND, 'chains/Heads'),
  'wrong identity': by('StakewatchSourcesDisagree', 'sources-disagree.test.yaml', 'self/Answers of another chain'),
  unhealthy: by(
    'StakewatchCollectorFailing',
    'one operation of the data service fails, first for nine minutes and then for good',
    'self/Runs failing',
  ),
  'running out': by('StakewatchBudgetExhausted', 'the budget of the data service is far too small', 'self/Budget left'),
  ending: none('The end of a key is not known in advance: see changed.'),
  leaving: none('A service that is shut down is offline.'),
  changed: by('StakewatchCredentialsRejected', 'the data service rejects the key', 'self/Not asked'),
  unreachable: by(
    'StakewatchRateLimited',
    'the data service answers one of twelve requests with 429, and later one of six',
    'self/Requests that were too many',
  ),
  unknown: by(
    ['StakewatchUpstreamDown', 'StakewatchCollectorFailing'],
    ['the data service is away for an hour', 'a list that is asked for once in five minutes fails'],
    ['self/Upstreams', 'self/Collectors'],
  ),
  contradicted: by(
    ['StakewatchAnswersRefused', 'StakewatchSourcesDisagree'],
    [
      'answers-refused.test.yaml',
      'the data service says that an L1 validator has a balance, and the node that it has none',
    ],
    ['self/Refused answers', 'validator/Balance of the validator'],
  ),
}

const INSTANCES = 'self/Instances of stakewatch'

const self: Row = {
  offline: by('StakewatchDown', 'stakewatch ends and is not started again', INSTANCES),
  flapping: by(
    'StakewatchDown',
    'stakewatch restarts three times within a quarter of an hour, and later time and again',
    INSTANCES,
  ),
  eroding: by(
    'StakewatchSeriesDropped',
    'an L1 grows, and there are more series than a collector may have',
    'self/What was left out',
  ),
  stalled: by('StakewatchSchedulerStalled', 'the timers of stakewatch stand still', 'self/Instances'),
  forked: by('StakewatchShardDuplicated', 'a shard of stakewatch is started a second time', INSTANCES),
  lagging: by(
    'StakewatchCollectorFailing',
    'one operation of the data service fails, first for nine minutes and then for good',
    'self/Oldest data',
  ),
  'wrong identity': by('StakewatchSeriesMissing', 'series-missing.test.yaml', 'self/Instances'),
  unhealthy: by('StakewatchStorageFailing', 'the folder of the storage goes away', 'self/Configuration and storage'),
  'running out': by(
    'StakewatchBudgetExhausted',
    'the budget of the data service is used up, and a wallet is drained',
    'self/Budget left',
  ),
  ending: none('It runs until it is stopped, and then it is offline.'),
  leaving: by('StakewatchShardMissing', 'of two shards of stakewatch one is taken away', INSTANCES),
  changed: by(
    'StakewatchConfigReloadFailed',
    'a configuration with a mistake in it is rolled out',
    'self/Configuration and storage',
  ),
  unreachable: by('StakewatchSeriesMissing', 'series-missing.test.yaml', 'self/Instances'),
  unknown: by('StakewatchDown', 'down.test.yaml', INSTANCES),
  contradicted: by(
    'StakewatchClockWrong',
    'the clock of stakewatch is ten minutes fast',
    'self/Clock ahead of upstreams',
  ),
}

export const otherRows = { wallet, route, service, self }

// Every condition, in the order of evaluation: what explains others comes first.

import { upstreamClockWrong } from './clocks.ts'
import type { Condition } from './condition.ts'
import { l1ValidatorDisconnected, validatorDisconnected } from './connections.ts'
import { validatorFlapping, validatorUnsteady } from './flapping.ts'
import { icmStuck, messagesUnknown, signaturesMissing } from './messages.ts'
import { chainProcessDead, nodeOfOtherNetwork, nodeUnhealthy, ownNodeUnhealthy } from './node-health.ts'
import { chainNotCreated, nodeBootstrapping, ownChainNotCreated } from './node-life.ts'
import { indexStalled, nodeBehind, nodeForked } from './node-progress.ts'
import { adminApiExposed, loggerVerbose, nodeExchanged, peerStakeLow } from './node-settings.ts'
import { nodeNotUpgraded, rewardingStakeLow } from './node-support.ts'
import { observersDisagree, validatorUnobserved, validatorUnreachable } from './observers.ts'
import { nodesDown, upstreamDown } from './outages.ts'
import { maintenanceOverrun } from './overrun.ts'
import { validatorGone, validatorNotInSet, validatorRemoved, validatorTampered, validatorUnknown } from './places.ts'
import { downtimeBudgetEnding, downtimeBudgetSmall, rewardLost } from './rewards.ts'
import { delegationEnding, stakeEnding, stakeEndPlanned, stakeEndsSoon, weightChanged } from './stakes.ts'
import { nodesUnsteady, ownNodeUnsteady, upstreamUnsteady } from './unsteady.ts'
import { upgradeNear, validatorNotUpgraded } from './upgrades.ts'
import { budgetExhausted, credentialsRejected, rateLimited } from './upstream-limits.ts'
import { rewardOverdue, unexpectedOutflow, walletLow, walletUnknown } from './wallets.ts'
import { costs } from './window-costs.ts'
import { L1_HEAD_READS } from './heads.ts'
import {
  chainNotRunning,
  chainStalled,
  chainUnknown,
  dataServiceBehind,
  gasPriceHigh,
  throughputCollapsed,
} from './chains.ts'
import { collectorFailing } from './collectors.ts'
import { sourcesDisagree } from './disagreements.ts'
import { expectationNotMet, expectationUnknown } from './expectations.ts'
import { l1BalanceEnding, l1BalanceLow, l1BalanceRunningOut, l1ValidatorInactive } from './l1-balances.ts'
import { l1MessagesUnsigned, l1OneStepFromStall, l1Stalled, l1WeightEnding, l1WeightLow } from './l1-stalls.ts'
import { answersRefused, dataStale } from './services.ts'
import { l1PriceRising, subnetChanged } from './subnets.ts'

export const conditions: readonly Condition[] = [
  maintenanceOverrun,
  nodesDown,
  upstreamDown,
  credentialsRejected,
  rateLimited,
  nodesUnsteady,
  ownNodeUnsteady,
  upstreamUnsteady,
  budgetExhausted,
  upstreamClockWrong,
  nodeOfOtherNetwork,
  chainProcessDead,
  ownNodeUnhealthy,
  nodeUnhealthy,
  nodeBootstrapping,
  ownChainNotCreated,
  chainNotCreated,
  nodeForked,
  nodeBehind,
  indexStalled,
  rewardingStakeLow,
  nodeNotUpgraded,
  adminApiExposed,
  peerStakeLow,
  loggerVerbose,
  nodeExchanged,
  validatorDisconnected,
  l1ValidatorDisconnected,
  validatorFlapping,
  validatorUnsteady,
  observersDisagree,
  validatorUnobserved,
  validatorUnreachable,
  downtimeBudgetSmall,
  downtimeBudgetEnding,
  rewardLost,
  stakeEndPlanned,
  stakeEnding,
  stakeEndsSoon,
  delegationEnding,
  validatorGone,
  validatorNotInSet,
  validatorRemoved,
  weightChanged,
  validatorNotUpgraded,
  upgradeNear,
  validatorUnknown,
  validatorTampered,
  unexpectedOutflow,
  walletLow,
  walletUnknown,
  rewardOverdue,
  icmStuck,
  signaturesMissing,
  messagesUnknown,
  l1WeightLow,
  l1Stalled,
  l1MessagesUnsigned,
  l1OneStepFromStall,
  l1WeightEnding,
  l1BalanceLow,
  l1BalanceEnding,
  l1BalanceRunningOut,
  l1ValidatorInactive,
  l1PriceRising,
  subnetChanged,
  chainStalled,
  chainNotRunning,
  dataServiceBehind,
  sourcesDisagree,
  throughputCollapsed,
  gasPriceHigh,
  chainUnknown,
  expectationNotMet,
  expectationUnknown,
  answersRefused,
  dataStale,
  ...costs,
  collectorFailing,
]

/** The metrics that the judge reads. */
export const judgedMetrics: ReadonlySet<string> = new Set([
  ...conditions.flatMap(({ reads }) => reads),
  ...L1_HEAD_READS,
])

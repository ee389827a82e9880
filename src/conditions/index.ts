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
  ...costs,
]

/** The metrics that the judge reads. */
export const judgedMetrics: ReadonlySet<string> = new Set(conditions.flatMap(({ reads }) => reads))

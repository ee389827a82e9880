// All groups of alert rules. What stakewatch judges of its network has one condition each; only what an instance cannot know of
// itself is PromQL.

import {
  chainNotRunning,
  chainStalled,
  chainUnknown,
  dataServiceBehind,
  gasPriceHigh,
  throughputCollapsed,
} from '../conditions/chains.ts'
import { upstreamClockWrong } from '../conditions/clocks.ts'
import { collectorFailing } from '../conditions/collectors.ts'
import { l1ValidatorDisconnected, validatorDisconnected } from '../conditions/connections.ts'
import { sourcesDisagree } from '../conditions/disagreements.ts'
import { expectationNotMet, expectationUnknown } from '../conditions/expectations.ts'
import { validatorFlapping, validatorUnsteady } from '../conditions/flapping.ts'
import { l1BalanceEnding, l1BalanceLow, l1BalanceRunningOut, l1ValidatorInactive } from '../conditions/l1-balances.ts'
import {
  l1MessagesUnsigned,
  l1OneStepFromStall,
  l1Stalled,
  l1WeightEnding,
  l1WeightLow,
} from '../conditions/l1-stalls.ts'
import { icmStuck, messagesUnknown, signaturesMissing } from '../conditions/messages.ts'
import { chainProcessDead, nodeOfOtherNetwork, nodeUnhealthy, ownNodeUnhealthy } from '../conditions/node-health.ts'
import { chainNotCreated, nodeBootstrapping, ownChainNotCreated } from '../conditions/node-life.ts'
import { indexStalled, nodeBehind, nodeForked } from '../conditions/node-progress.ts'
import { adminApiExposed, loggerVerbose, nodeExchanged, peerStakeLow } from '../conditions/node-settings.ts'
import { nodeNotUpgraded, rewardingStakeLow } from '../conditions/node-support.ts'
import { observersDisagree, validatorUnobserved, validatorUnreachable } from '../conditions/observers.ts'
import { nodesDown, upstreamDown } from '../conditions/outages.ts'
import { maintenanceOverrun } from '../conditions/overrun.ts'
import {
  validatorGone,
  validatorNotInSet,
  validatorRemoved,
  validatorTampered,
  validatorUnknown,
} from '../conditions/places.ts'
import { downtimeBudgetEnding, downtimeBudgetSmall, rewardLost } from '../conditions/rewards.ts'
import { answersRefused, dataStale } from '../conditions/services.ts'
import { delegationEnding, stakeEnding, stakeEndPlanned, stakeEndsSoon, weightChanged } from '../conditions/stakes.ts'
import { l1PriceRising, subnetChanged } from '../conditions/subnets.ts'
import { nodesUnsteady, ownNodeUnsteady, upstreamUnsteady } from '../conditions/unsteady.ts'
import { upgradeNear, validatorNotUpgraded } from '../conditions/upgrades.ts'
import { budgetExhausted, credentialsRejected, rateLimited } from '../conditions/upstream-limits.ts'
import { rewardOverdue, unexpectedOutflow, walletLow, walletUnknown } from '../conditions/wallets.ts'
import { costs } from '../conditions/window-costs.ts'
import type { Condition } from '../conditions/condition.ts'
import { ruleOf } from './condition-rule.ts'
import type { Group } from './rule.ts'
import { self } from './self.ts'
import type { Thresholds } from './thresholds.ts'

/** The scrape job of stakewatch in Prometheus. */
export const JOB = 'stakewatch'

const judged: Readonly<Record<string, readonly Condition[]>> = {
  validators: [
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
  ],
  subnets: [
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
  ],
  chains: [
    chainStalled,
    chainNotRunning,
    dataServiceBehind,
    sourcesDisagree,
    indexStalled,
    throughputCollapsed,
    gasPriceHigh,
    chainUnknown,
  ],
  nodes: [
    nodeOfOtherNetwork,
    ownNodeUnhealthy,
    nodeUnhealthy,
    nodeBootstrapping,
    ownChainNotCreated,
    chainNotCreated,
    nodeForked,
    chainProcessDead,
    nodeBehind,
    rewardingStakeLow,
    nodeNotUpgraded,
    adminApiExposed,
    peerStakeLow,
    loggerVerbose,
    nodeExchanged,
  ],
  wallets: [unexpectedOutflow, walletLow, walletUnknown, rewardOverdue],
  messages: [icmStuck, signaturesMissing, messagesUnknown],
  expectations: [expectationNotMet, expectationUnknown],
  maintenance: [maintenanceOverrun, ...costs],
  upstreams: [
    nodesDown,
    upstreamDown,
    ownNodeUnsteady,
    upstreamUnsteady,
    nodesUnsteady,
    credentialsRejected,
    rateLimited,
    answersRefused,
    dataStale,
    collectorFailing,
    upstreamClockWrong,
    budgetExhausted,
  ],
}

export const writtenGroups = (limits: Thresholds, job: string): readonly Group[] => [
  ...Object.entries(judged).map(([name, conditions]) => ({
    name: `stakewatch-${name}`,
    rules: conditions.map(ruleOf),
  })),
  self(limits, job),
]

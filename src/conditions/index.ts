// Every condition, once: for the judge in the order of evaluation, for the rules by group.

import {
  chainNotRunning,
  chainStalled,
  chainUnknown,
  dataServiceBehind,
  gasPriceHigh,
  throughputCollapsed,
} from './chains.ts'
import { clockWrong, upstreamClockWrong } from './clocks.ts'
import { collectorFailing } from './collectors.ts'
import { l1ValidatorDisconnected, validatorDisconnected } from './connections.ts'
import { sourcesDisagree } from './disagreements.ts'
import { expectationNotMet, expectationUnknown } from './expectations.ts'
import { validatorFlapping, validatorUnsteady } from './flapping.ts'
import { configReloadFailed, seriesDropped, storageFailing } from './instance.ts'
import { l1BalanceEnding, l1BalanceLow, l1BalanceRunningOut, l1ValidatorInactive } from './l1-balances.ts'
import { l1MessagesUnsigned, l1OneStepFromStall, l1Stalled, l1WeightEnding, l1WeightLow } from './l1-stalls.ts'
import { icmStuck, messagesUnknown, signaturesMissing } from './messages.ts'
import { chainProcessDead, nodeOfOtherNetwork, nodeUnhealthy, ownNodeUnhealthy } from './node-health.ts'
import { chainNotCreated, nodeBootstrapping, ownChainNotCreated } from './node-life.ts'
import { indexStalled, nodeBehind, nodeForked } from './node-progress.ts'
import { adminApiExposed, loggerVerbose, nodeExchanged, peerStakeLow } from './node-settings.ts'
import { nodeNotUpgraded, rewardingStakeLow } from './node-support.ts'
import { observersDisagree, validatorUnobserved, validatorUnreachable } from './observers.ts'
import { nodesDown, upstreamDown } from './outages.ts'
import { WINDOW_READS } from './maintenance.ts'
import { maintenanceOverrun } from './overrun.ts'
import { validatorGone, validatorNotInSet, validatorRemoved, validatorTampered, validatorUnknown } from './places.ts'
import { downtimeBudgetEnding, downtimeBudgetSmall, rewardLost } from './rewards.ts'
import { answersRefused, dataStale } from './services.ts'
import { delegationEnding, stakeEnding, stakeEndPlanned, stakeEndsSoon, weightChanged } from './stakes.ts'
import { l1PriceRising, subnetChanged } from './subnets.ts'
import { blocksLate, drawContradicted, turnsMissed, validatorSilent } from './turns.ts'
import { nodesUnsteady, ownNodeUnsteady, upstreamUnsteady } from './unsteady.ts'
import { upgradeNear, validatorNotUpgraded } from './upgrades.ts'
import { budgetExhausted, credentialsRejected, rateLimited } from './upstream-limits.ts'
import { rewardOverdue, unexpectedOutflow, walletLow, walletUnknown } from './wallets.ts'
import { costs } from './window-costs.ts'
import { type Condition, nameOf } from './condition.ts'

/** By the group of their rules, in the order of the rules. */
export const conditionGroups: Readonly<Record<string, readonly Condition[]>> = {
  validators: [
    validatorDisconnected,
    l1ValidatorDisconnected,
    validatorFlapping,
    validatorUnsteady,
    turnsMissed,
    validatorSilent,
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
    blocksLate,
    drawContradicted,
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
  self: [seriesDropped, configReloadFailed, clockWrong, storageFailing],
}

/** In the order of evaluation: what explains others comes first. */
export const conditions: readonly Condition[] = causesFirst(Object.values(conditionGroups).flat())

function causesFirst(all: readonly Condition[]): Condition[] {
  const byName = new Map(all.map((one) => [nameOf(one), one]))
  const ordered = new Set<Condition>()
  const add = (one: Condition): void => {
    for (const cause of one.explainedBy ?? []) add(byName.get(cause)!)
    ordered.add(one)
  }
  for (const one of all) add(one)
  return [...ordered]
}

/** The metrics that the judge reads. */
export const judgedMetrics: ReadonlySet<string> = new Set([
  ...conditions.flatMap(({ reads, details }) => [...reads, ...(details?.reads ?? [])]),
  ...WINDOW_READS,
])

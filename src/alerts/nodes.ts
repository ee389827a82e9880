// Alerts about nodes: another network, failing health checks, lag, forks, missing upgrades and exposed admin APIs.

import { chainProcessDead, nodeOfOtherNetwork, nodeUnhealthy, ownNodeUnhealthy } from '../conditions/node-health.ts'
import { chainNotCreated, nodeBootstrapping, ownChainNotCreated } from '../conditions/node-life.ts'
import { nodeBehind, nodeForked } from '../conditions/node-progress.ts'
import { adminApiExposed, loggerVerbose, nodeExchanged, peerStakeLow } from '../conditions/node-settings.ts'
import { nodeNotUpgraded, rewardingStakeLow } from '../conditions/node-support.ts'
import { ruleOf } from './condition-rule.ts'
import type { Group } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

export const nodes = (_: Thresholds): Group => ({
  name: 'stakewatch-nodes',
  rules: [
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
  ].map(ruleOf),
})

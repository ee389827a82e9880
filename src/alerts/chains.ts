// Alerts about chains: stalled heads, and sources that contradict each other.

import {
  chainNotRunning,
  chainStalled,
  chainUnknown,
  dataServiceBehind,
  gasPriceHigh,
  throughputCollapsed,
} from '../conditions/chains.ts'
import { sourcesDisagree } from '../conditions/disagreements.ts'
import { indexStalled } from '../conditions/node-progress.ts'
import { ruleOf } from './condition-rule.ts'
import type { Group } from './rule.ts'

export const chains: Group = {
  name: 'stakewatch-chains',
  rules: [
    chainStalled,
    chainNotRunning,
    dataServiceBehind,
    sourcesDisagree,
    indexStalled,
    throughputCollapsed,
    gasPriceHigh,
    chainUnknown,
  ].map(ruleOf),
}

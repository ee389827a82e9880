// Alerts about subnets and L1s: weight online, balances of validators, and changes of owner or manager.

import { l1BalanceEnding, l1BalanceLow, l1BalanceRunningOut, l1ValidatorInactive } from '../conditions/l1-balances.ts'
import {
  l1MessagesUnsigned,
  l1OneStepFromStall,
  l1Stalled,
  l1WeightEnding,
  l1WeightLow,
} from '../conditions/l1-stalls.ts'
import { l1PriceRising, subnetChanged } from '../conditions/subnets.ts'
import { ruleOf } from './condition-rule.ts'
import type { Group } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

export const subnets: (limits: Thresholds) => Group = () => ({
  name: 'stakewatch-subnets',
  rules: [
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
  ].map(ruleOf),
})

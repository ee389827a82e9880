// Alerts about wallets: unexpected outflows, low balances and overdue rewards.

import { rewardOverdue, unexpectedOutflow, walletLow, walletUnknown } from '../conditions/wallets.ts'
import { ruleOf } from './condition-rule.ts'
import type { Group } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

export const wallets = (_: Thresholds): Group => ({
  name: 'stakewatch-wallets',
  rules: [unexpectedOutflow, walletLow, walletUnknown, rewardOverdue].map(ruleOf),
})

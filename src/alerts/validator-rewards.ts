// Alerts about the observers of validators, downtime budgets and rewards.

import { observersDisagree, validatorUnobserved, validatorUnreachable } from '../conditions/observers.ts'
import { downtimeBudgetEnding, downtimeBudgetSmall, rewardLost } from '../conditions/rewards.ts'
import { ruleOf } from './condition-rule.ts'
import type { Rule } from './rule.ts'

/** Validators on which observers disagree, or which none of them sees. */
export const observers: readonly Rule[] = [observersDisagree, validatorUnobserved, validatorUnreachable].map(ruleOf)

/** Downtime budgets and lost rewards. */
export const rewards: readonly Rule[] = [downtimeBudgetSmall, downtimeBudgetEnding, rewardLost].map(ruleOf)

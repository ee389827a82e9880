// Alerts about network upgrades that a validator or node does not support.

import { upgradeNear, validatorNotUpgraded } from '../conditions/upgrades.ts'
import { ruleOf } from './condition-rule.ts'
import type { Rule } from './rule.ts'

export const upgrades: readonly Rule[] = [validatorNotUpgraded, upgradeNear].map(ruleOf)

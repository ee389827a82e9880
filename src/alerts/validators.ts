// Alerts about validators: their connections, rewards, stakes, places in the set and upgrades.

import {
  validatorGone,
  validatorNotInSet,
  validatorRemoved,
  validatorTampered,
  validatorUnknown,
} from '../conditions/places.ts'
import { ruleOf } from './condition-rule.ts'
import { connections } from './connections.ts'
import type { Group } from './rule.ts'
import type { Thresholds } from './thresholds.ts'
import { upgrades } from './upgrades.ts'
import { observers, rewards } from './validator-rewards.ts'
import { stakes, weights } from './validator-stakes.ts'

export const validators = (_: Thresholds): Group => ({
  name: 'stakewatch-validators',
  rules: [
    ...connections,
    ...observers,
    ...rewards,
    ...stakes,
    ...[validatorGone, validatorNotInSet, validatorRemoved].map(ruleOf),
    ...weights,
    ...upgrades,
    ...[validatorUnknown, validatorTampered].map(ruleOf),
  ],
})

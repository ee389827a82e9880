// Alerts about the stakes of validators: their end, their delegations and their weight.

import { delegationEnding, stakeEnding, stakeEndPlanned, stakeEndsSoon, weightChanged } from '../conditions/stakes.ts'
import { ruleOf } from './condition-rule.ts'
import type { Rule } from './rule.ts'

/** Stakes and delegations that end. */
export const stakes: readonly Rule[] = [stakeEndPlanned, stakeEnding, stakeEndsSoon, delegationEnding].map(ruleOf)

export const weights: readonly Rule[] = [weightChanged].map(ruleOf)

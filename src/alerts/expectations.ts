// Alerts about `expect`, `index` and `admin` of the configuration, for things in several rooms.

import { expectationNotMet, expectationUnknown } from '../conditions/expectations.ts'
import { ruleOf } from './condition-rule.ts'
import type { Group } from './rule.ts'

export const expectations: Group = {
  name: 'stakewatch-expectations',
  rules: [ruleOf(expectationNotMet), ruleOf(expectationUnknown)],
}

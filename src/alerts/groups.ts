// All groups of alert rules. What stakewatch judges of its network has one condition each; only what an instance cannot know of
// itself is PromQL.

import { conditionGroups } from '../conditions/index.ts'
import { ruleOf } from './condition-rule.ts'
import type { Group } from './rule.ts'
import { self } from './self.ts'
import type { Thresholds } from './thresholds.ts'

/** The scrape job of stakewatch in Prometheus. */
export const JOB = 'stakewatch'

export const writtenGroups = (limits: Thresholds, job: string): readonly Group[] =>
  Object.entries(conditionGroups).map(([name, conditions]) => ({
    name: `stakewatch-${name}`,
    rules: [...conditions.map(ruleOf), ...(name === 'self' ? self(limits, job) : [])],
  }))

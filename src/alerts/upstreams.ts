// Alerts about upstreams: outages, rejected requests, stale data and failing collectors.

import { upstreamClockWrong } from '../conditions/clocks.ts'
import { collectorFailing } from '../conditions/collectors.ts'
import { nodesDown, upstreamDown } from '../conditions/outages.ts'
import { answersRefused, dataStale } from '../conditions/services.ts'
import { nodesUnsteady, ownNodeUnsteady, upstreamUnsteady } from '../conditions/unsteady.ts'
import { budgetExhausted, credentialsRejected, rateLimited } from '../conditions/upstream-limits.ts'
import { ruleOf } from './condition-rule.ts'
import type { Group } from './rule.ts'

export const upstreams: Group = {
  name: 'stakewatch-upstreams',
  rules: [
    nodesDown,
    upstreamDown,
    ownNodeUnsteady,
    upstreamUnsteady,
    nodesUnsteady,
    credentialsRejected,
    rateLimited,
    answersRefused,
    dataStale,
    collectorFailing,
    upstreamClockWrong,
    budgetExhausted,
  ].map(ruleOf),
}

// Upstreams that reject requests, or that stakewatch may not ask as often as it needs to.

import { type Condition, NOT_APPLICABLE, OK, problem } from '../condition.ts'
import { ifKnown } from '../details.ts'
import { IF_SERVICE, isNode, UP, upLately } from '../nodes.ts'
import { HOUR, MINUTE } from '../../lib/seconds.ts'
import {
  areNodesDown,
  isLimitedWithin,
  isOverBudget,
  isRateLimited,
  isRefusing,
  isUnanswered,
  limitedShare,
  OVER_BUDGET_READS,
  RATE_READS,
} from '../upstreams.ts'
import type { View } from '../view.ts'

const REFUSING = 'stakewatch_upstream_refusing'
const BUDGET = 'stakewatch_upstream_budget_units'
const LEFT = 'stakewatch_upstream_budget_remaining_units'
const STRETCH = 'stakewatch_upstream_interval_stretch_ratio'

export const credentialsRejected: Condition = {
  alert: 'StakewatchCredentialsRejected',
  panel: 'self: Not asked',
  severity: 'warning',
  for: 5 * MINUTE,
  reads: [REFUSING],
  judge: {
    node: (view) => (isRefusing(view) ? problem(1) : view.has(REFUSING) ? OK : NOT_APPLICABLE),
  },
  title: '{{ $labels.source }} refuses access',
  summary: 'A service refuses access to stakewatch.',
  action: 'Put a valid key for {{ $labels.source }} into the configuration.',
  description:
    '{{ $labels.source }} on {{ $labels.network }} answers with HTTP 401 or 403: the configured key is wrong, or it wants one and none is configured. Correct the key; until then stakewatch sends one request every ten minutes.',
}

export const rateLimited: Condition = {
  alert: 'StakewatchRateLimited',
  panel: 'self: Requests that were too many',
  severity: 'warning',
  for: 5 * MINUTE,
  reads: [UP, ...RATE_READS],
  judge: {
    node(view) {
      if (isNode(view) && view.of('network').fact(areNodesDown)) return NOT_APPLICABLE
      if (!isRateLimited(view)) return OK
      return problem(limitedShare(view, isLimitedWithin(view, 15 * MINUTE) ? 15 * MINUTE : HOUR))
    },
  },
  title: '{{ $labels.source }} limits our requests',
  summary: 'An upstream is rate limiting stakewatch (HTTP 429).',
  // A node has no budget, and never limits by itself: what stands in front of it does.
  action: `{{ ${IF_SERVICE} }}Set the \`budget\` of {{ $labels.source }} to what your plan allows.{{ else }}Raise the limit of the proxy or provider in front of {{ $labels.source }}.{{ end }}`,
  description:
    '{{ $labels.source }} on {{ $labels.network }} answers {{ humanizePercentage $value }} of the requests with HTTP 429. stakewatch sends fewer requests, so some data is late or missing.',
}

/** Share of the daily budget that is left. */
function budgetLeft(upstream: View): number | undefined {
  const [left, budget] = [LEFT, BUDGET].map((metric) => upstream.value(metric, { window: 'day' }))
  return left === undefined || budget === undefined ? undefined : left / budget
}

/** How late that is which has the first claim on the budget. */
const lateText = ifKnown(
  'stretch_of_pages',
  'Even wallets whose alerts page are read {{ . | first | value | humanize }} times less often.',
  'Less important collectors are late or fail first; wallets whose alerts page come before all others.',
)

export const budgetExhausted: Condition = {
  alert: 'StakewatchBudgetExhausted',
  panel: 'self: API budget left',
  severity: 'warning',
  for: 15 * MINUTE,
  reads: [BUDGET, LEFT, STRETCH, UP, upLately, ...OVER_BUDGET_READS, ...RATE_READS],
  judge: {
    node(view) {
      if (!view.has(UP) && !view.has(BUDGET)) return NOT_APPLICABLE
      const left = budgetLeft(view)
      if (left !== undefined && left < view.limits.budgetLeft) return problem(left)
      // After HTTP 429, the budget per minute is reduced for a while; StakewatchRateLimited covers that.
      if (isUnanswered(view) || isRateLimited(view)) return OK
      // Where it is much too small, so little is asked that it is never used up.
      const stretch = view.value(STRETCH) ?? 1
      if (stretch > view.limits.budgetStretch) return problem(stretch)
      return isOverBudget(view) ? problem(left ?? 0) : OK
    },
  },
  title: '{{ $labels.source }}: request budget too small',
  summary: 'The request budget of an upstream is too small: data is late.',
  action: 'Run `stakewatch check` to see what the collectors of {{ $labels.source }} cost, and raise `budget`.',
  description: `{{ if gt $value 1.0 }}The request budget of {{ $labels.network }}/{{ $labels.source }} is so small that some collectors run {{ humanize $value }} times less often than configured.{{ else }}The request budget of {{ $labels.network }}/{{ $labels.source }} is nearly used up for today, or requests found no room in it within the last quarter of an hour.{{ end }} ${lateText}`,
  details: {
    reads: [],
    of(view) {
      const stretch = view.value(STRETCH, { rank: 'first' })
      return { stretch_of_pages: stretch !== undefined && stretch > 1 ? stretch : undefined }
    },
  },
}

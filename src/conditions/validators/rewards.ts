// Downtime budgets, and rewards that are lost.

import { validator } from '../../alerts/rule.ts'
import { BUDGET, budgets, medianBudget, isRewardSafe, lostShare, REWARD_READS } from '../validator-votes.ts'
import { type Condition, NOT_APPLICABLE, OK, problem, unknown } from '../condition.ts'
import { connectedLately, connectedShare, CONNECTION_READS, hasEnded, isTracked, mostConnected } from './connections.ts'
import { ifKnown, TEXT } from '../details.ts'
import { formatDuration } from '../../lib/duration.ts'
import { median } from '../../lib/statistics.ts'
import { END, hasJustStarted, START, startLately } from './stakes.ts'
import { HOUR, MINUTE } from '../../lib/seconds.ts'
import { valueAgo } from '../track.ts'
import type { Remembered, View } from '../view.ts'
import { IN_SET, TRACKED } from '../nodes.ts'

const REQUIRED = 'stakewatch_validator_required_uptime_ratio'

/** No more than an hour is lost in an hour, so that a budget far from its limit does not matter yet. */
const budgetLately: Remembered = {
  name: 'budget',
  of: 'validator',
  for: HOUR,
  read(view) {
    if (!isTracked(view)) return NOTHING
    const near = [...view.fact(budgets)].filter(([, budget]) => isNear(view, budget))
    return near.length === 0 ? NOTHING : new Map(near)
  },
}
const NOTHING: ReadonlyMap<string, number> = new Map()
const isNear = (view: View, budget: number) => budget < view.limits.budgetEnding + 2 * HOUR

/**
 * What would be left if the loss of the last hour went on until the limit. Each node is compared with itself: the nodes change. The
 * budget of a node that is far from its limit is not remembered, but counts: without it, those that see little would decide alone.
 */
function budgetAhead(view: View): number | undefined {
  const hours = view.limits.budgetEnding / HOUR
  const ahead = median(
    [...view.fact(budgets)].flatMap(([source, budget]) => {
      if (!isNear(view, budget)) return budget
      const before = valueAgo(view.track(budgetLately, source), view.now, HOUR)
      return before === undefined ? [] : budget - hours * (before - budget)
    }),
  )
  return ahead ?? undefined
}

/**
 * It is disconnected with little left, or the loss of the last hour would use it up within the limit, unless a new period with a new
 * budget started in that hour.
 */
function isEnding(view: View, budget: number, connected: number | undefined): boolean {
  if (budget < 0 || view.fact(isRewardSafe)) return false
  if (budget < view.limits.budgetEnding && connected !== undefined && connected < 0.5) return true
  return (budgetAhead(view) ?? 0) < 0 && !hasJustStarted(view)
}

/** What is little: a share of what a short stake had at its start. */
function smallBudget(view: View): number | undefined {
  const [start, end] = [view.value(START), view.value(END)]
  const required = view.all(REQUIRED).map(({ value }) => value)
  if (start === undefined || end === undefined || required.length === 0) return undefined
  const { budgetSmall, budgetSmallShare } = view.limits
  // The lowest requirement of any node: they differ only while one of them lacks an upgrade.
  return Math.min(budgetSmallShare * (1 - Math.min(...required)) * (end - start), budgetSmall)
}

const remembered = [connectedLately, budgetLately, startLately]
const BUDGET_READS = [BUDGET, START, IN_SET, ...CONNECTION_READS, ...REWARD_READS, ...remembered]

export const downtimeBudgetSmall: Condition = {
  alert: 'StakewatchDowntimeBudgetSmall',
  panel: 'validator: Observers',
  isTimeLeft: true,
  severity: 'warning',
  for: 10 * MINUTE,
  reads: [...BUDGET_READS, REQUIRED, END],
  judge: {
    validator(view) {
      if (!isTracked(view)) return NOT_APPLICABLE
      const [budget, small] = [view.fact(medianBudget), view.fact(smallBudget)]
      if (budget === undefined || small === undefined)
        return hasEnded(view) ? NOT_APPLICABLE : unknown('no budget is known')
      if (budget < 0 || budget >= small || view.fact(isRewardSafe)) return OK
      // Bridges short outages, which would otherwise restart the waiting time.
      return isEnding(view, budget, mostConnected(view)) ? OK : problem(budget)
    },
  },
  title: '{{ $labels.validator }} has little downtime left',
  summary: 'The validator has little downtime left before it loses its staking reward.',
  action: 'Postpone planned restarts of {{ $labels.validator }}; if it comes and goes, find out why.',
  description: `Validator ${validator} can be down for another {{ humanizeDuration $value }} before it loses its reward (median of the nodes that watch it).`,
}

const ENDING = 'downtime_budget_ending'

export const downtimeBudgetEnding: Condition = {
  alert: 'StakewatchDowntimeBudgetEnding',
  panel: 'validator: Observers',
  isTimeLeft: true,
  severity: 'critical',
  for: 5 * MINUTE,
  heldBy: ['uptime'],
  reads: BUDGET_READS,
  judge: {
    validator(view) {
      if (!isTracked(view)) return NOT_APPLICABLE
      const budget = view.fact(medianBudget)
      if (budget === undefined) return hasEnded(view) ? NOT_APPLICABLE : unknown('no node that votes reports a budget')
      const connected = view.fact(connectedShare)
      if (isEnding(view, budget, connected)) return problem(budget)
      // That the reward is lost does not end the page while the validator is away.
      const isAway = connected !== undefined && connected < 0.5
      return budget < 0 && isAway && view.hasFired(ENDING) ? problem(budget) : OK
    },
  },
  title:
    '{{ $labels.validator }} {{ if lt $value 0.0 }}lost its reward, is away{{ else }}about to lose its reward{{ end }}',
  summary: 'The validator is about to lose its staking reward.',
  action: 'Get {{ $labels.validator }} connected by any means, and leave it alone then.',
  description: `{{ if lt $value 0.0 }}Validator ${validator} has used up its downtime and lost its reward, and is still disconnected.{{ else }}Validator ${validator} can be down for another {{ humanizeDuration $value }} before it loses its reward (median of the nodes that watch it). At the current rate that happens ${ifKnown('within', `within ${TEXT}`, 'soon')}.{{ end }}`,
  details: { reads: [], of: ({ limits }) => ({ within: formatDuration(1_000 * limits.budgetEnding) }) },
}

export const rewardLost: Condition = {
  alert: 'StakewatchRewardLost',
  panel: 'validator: Reward by observer',
  severity: 'warning',
  for: 10 * MINUTE,
  heldBy: ['uptime'],
  reads: [TRACKED, IN_SET, ...REWARD_READS],
  judge: {
    validator(view) {
      if (!isTracked(view)) return NOT_APPLICABLE
      const lost = view.fact(lostShare)
      if (lost === undefined)
        return hasEnded(view) ? NOT_APPLICABLE : unknown('no node that votes reports on its reward')
      return lost > 0.5 ? problem(lost) : OK
    },
  },
  title: '{{ $labels.validator }} has lost its reward',
  summary: 'The validator has lost its staking reward.',
  action: 'Keep {{ $labels.validator }} running: the votes of others may still save the reward.',
  description: `{{ humanizePercentage $value }} of the nodes that watch validator ${validator} report that it was down for too long to get its reward. Repairs made now do not change their votes.`,
}

// How much downtime a validator has left, by the nodes that vote.

import { median } from '../lib/median.ts'
import { mutedNodes } from './nodes.ts'
import type { View } from './view.ts'

export const BUDGET = 'stakewatch_validator_downtime_budget_seconds'

/** Seconds that are left by each node that votes. */
export function budgets(view: View): ReadonlyMap<string, number> {
  const muted = view.of('network').fact(mutedNodes)
  const found = new Map<string, number>()
  for (const { labels, value } of view.all(BUDGET))
    if (!muted.has(labels['source']!)) found.set(labels['source']!, value)
  return found
}

/** The median of the nodes, because the network also votes on the reward. */
export const medianBudget = (view: View) => median([...view.fact(budgets).values()]) ?? undefined

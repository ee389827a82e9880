// What the nodes that vote say of a validator: the state of its reward, and the downtime that is left.

import { mutedNodes, VOTE_READS } from './nodes.ts'
import type { View } from './view.ts'
import { median } from '../lib/statistics.ts'

const STATE = 'stakewatch_validator_reward_state'

export const REWARD_READS = ['stakewatch_validator_tracked', STATE, ...VOTE_READS]

/** The state by each node that votes. A state that is not the current one may be a 0 or missing. */
function rewardStates(view: View): ReadonlyMap<string, string | undefined> {
  const states = new Map<string, string | undefined>()
  const reports = view.all(STATE)
  const muted = view.of('network').fact(mutedNodes)
  for (const { labels, value } of reports) {
    const source = labels['source']!
    if (!muted.has(source)) states.set(source, value === 1 ? labels['state'] : states.get(source))
  }
  return states
}

/** Share of the votes that report this state; undefined without votes. */
function saying(view: View, wanted: string): number | undefined {
  const states = view.fact(rewardStates)
  if (states.size === 0) return undefined
  let count = 0
  for (const state of states.values()) if (state === wanted) count += 1
  return count / states.size
}

export const lostShare = (view: View) => saying(view, 'lost')

export const isRewardLost = (view: View) => (lostShare(view) ?? 0) > 0.5
export const isRewardSafe = (view: View) => (saying(view, 'safe') ?? 0) > 0.5

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

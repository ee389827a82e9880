// Facts about the reward of a validator, by the vote of the nodes.

import { mutedNodes, VOTE_READS } from './nodes.ts'
import type { View } from './view.ts'

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

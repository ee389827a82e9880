// Facts about the reward of a validator, by the vote of the nodes.

import { isVoting, VOTE_READS } from './nodes.ts'
import type { View } from './view.ts'

const STATE = 'stakewatch_validator_reward_state'

export const REWARD_READS = ['stakewatch_validator_tracked', STATE, ...VOTE_READS]

/** Whether the node that reports it has a vote on the reward. */
export const hasVote = (view: View, source: string) => view.of('node', { source }).fact(isVoting)

/** Share of the votes that report this state; undefined without votes. A state that is not the current one may be a 0 or missing. */
function saying(view: View, wanted: string): number | undefined {
  const voters = new Map<string, boolean>()
  for (const { labels, value } of view.all(STATE)) {
    const source = labels['source']!
    if (!hasVote(view, source)) continue
    voters.set(source, voters.get(source) === true || (value === 1 && labels['state'] === wanted))
  }
  return voters.size === 0 ? undefined : [...voters.values()].filter(Boolean).length / voters.size
}

export const lostShare = (view: View) => saying(view, 'lost')
const safeShare = (view: View) => saying(view, 'safe')

export const isRewardLost = (view: View) => (view.fact(lostShare) ?? 0) > 0.5
export const isRewardSafe = (view: View) => (view.fact(safeShare) ?? 0) > 0.5

// How the network would vote on the reward of a validator. No node counts votes: each prefers what follows from the
// uptime that it saw, and consensus samples validators by stake until nearly all agree. So the larger part of the stake
// decides; when both parts are nearly equal, the samples do.

interface Voter {
  /** Stake, own and delegated. */
  weight: bigint
  /** Share of the time that it saw the validator, 0 to 1; 0 also while it cannot know; undefined if unreported. */
  uptime: number | undefined
}

/** Stake by vote. */
export interface Votes {
  for: bigint
  against: bigint
  unknown: bigint
}

export const voteStates = ['granted', 'refused', 'undecided'] as const

type VoteState = (typeof voteStates)[number]

export function votesOf(voters: readonly Voter[], required: number): Votes {
  const votes = { for: 0n, against: 0n, unknown: 0n }
  for (const { weight, uptime } of voters) votes[voteOf(uptime, required)] += weight
  return votes
}

/** A validator reports 0 until about half a minute after it or the other one has started. */
function voteOf(uptime: number | undefined, required: number): keyof Votes {
  if (uptime === undefined || uptime === 0) return 'unknown'
  return uptime >= required ? 'for' : 'against'
}

/** The outcome when more than half of the stake agrees, whatever the rest does. */
export function voteStateOf({ for: agreed, against, unknown }: Votes): VoteState {
  const total = agreed + against + unknown
  if (2n * agreed > total) return 'granted'
  return 2n * against > total ? 'refused' : 'undecided'
}

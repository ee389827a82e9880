// How the network would vote about the reward of a validator. No node counts votes: each one prefers what follows from the
// uptime that it has seen itself, and consensus samples validators by their stake until nearly all prefer the same. So the
// greater part of the stake decides. How it ends when both parts are nearly as great is up to the samples.

interface Voter {
  /** Stake, own and delegated. */
  weight: bigint
  /** Share of the time that it has seen the validator, 0 to 1; 0 also while it cannot know; undefined when it does not tell. */
  uptime: number | undefined
}

/** Stake by how it would vote. */
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

/** A validator says 0 until about half a minute after it or the other one has started. */
function voteOf(uptime: number | undefined, required: number): keyof Votes {
  if (uptime === undefined || uptime === 0) return 'unknown'
  return uptime >= required ? 'for' : 'against'
}

/** What more than half of the stake decides, whatever is unknown of the rest. */
export function voteStateOf({ for: agreed, against, unknown }: Votes): VoteState {
  const total = agreed + against + unknown
  if (2n * agreed > total) return 'granted'
  return 2n * against > total ? 'refused' : 'undecided'
}

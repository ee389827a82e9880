// Whether a validator will be rewarded, as one observer sees it.

export const rewardStates = ['safe', 'on_track', 'at_risk', 'lost'] as const

type RewardState = (typeof rewardStates)[number]

/** Times in Unix seconds. */
export interface Stake {
  start: number
  end: number
  /** Share of the time since `start` that the observer saw the validator connected, 0 to 1. */
  uptime: number
  /** Share that the network requires, 0 to 1. */
  required: number
  /** When the observer reported the uptime. */
  at: number
}

export interface Reward {
  /** Seconds that the validator may still be down before the reward is lost; negative once it is lost. */
  budget: number
  /** Seconds that it may be down from now on, at most to the end of its period; 0 once the reward is lost. */
  mayStopFor: number
  state: RewardState
}

/** Validations that start at or after the upgrade need 90 %, earlier ones 80 % (ACP-267). */
export function requiredUptime(start: number, upgradeTime: number | undefined): number {
  return upgradeTime !== undefined && start >= upgradeTime ? 0.9 : 0.8
}

/** Undefined when the stake has no duration: there is nothing to judge. */
export function judgeReward({ start, end, uptime, required, at }: Stake): Reward | undefined {
  if (end <= start) return undefined
  const allowed = toMillis((1 - required) * (end - start))
  if (at < start) return { budget: allowed, mayStopFor: allowed, state: 'on_track' }
  const time = Math.min(at, end)
  const budget = toMillis(allowed - (1 - uptime) * (time - start))
  const left = end - time
  const mayStopFor = Math.max(0, Math.min(budget, left))
  return { budget, mayStopFor, state: stateOf(budget, allowed, left, uptime < required) }
}

/** Rounds, as an error in the last digits of a double would decide at a threshold. */
function toMillis(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000
}

function stateOf(budget: number, allowed: number, left: number, belowRequired: boolean): RewardState {
  if (budget < 0) return 'lost'
  if (budget >= left) return 'safe'
  // A young validator is below the requirement after a single restart: that alone is no risk.
  if (budget < 0.25 * allowed || (belowRequired && budget < 0.9 * allowed)) return 'at_risk'
  return 'on_track'
}

// How much more can be delegated to a validator.

export interface CapacityRules {
  /** Maximum of total stake, own and delegated, divided by own stake. */
  factor: number
  /** Maximum of own and delegated tokens. */
  maxStake: number
  /** Minimum duration of a delegation in seconds. */
  minDuration: number
  /** Minimum tokens of a delegation. */
  minDelegation: number
}

export interface Delegated {
  /** Tokens. */
  own: number
  delegated: number
  /** Seconds until the validation ends. */
  left: number
}

/** Tokens; 0 when no further delegation fits, because the room or the time is too small. */
export function delegationCapacity(
  { own, delegated, left }: Delegated,
  { factor, maxStake, minDuration, minDelegation }: CapacityRules,
): number {
  // Tokens have nine decimals: further digits are rounding errors of floats.
  const room = Math.round((Math.min(factor * own, maxStake) - own - delegated) * 1e9) / 1e9
  return room < minDelegation || left < minDuration ? 0 : room
}

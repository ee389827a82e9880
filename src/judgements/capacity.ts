// How much more can be delegated to a validator.

export interface CapacityRules {
  /** Total stake, own and delegated, over own stake, at most. */
  factor: number
  /** Tokens, own and delegated, at most. */
  maxStake: number
  /** Seconds that a delegation lasts at least. */
  minDuration: number
  /** Tokens of a delegation, at least. */
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
  // Tokens have nine decimals: what a subtraction of floats adds after them is an error of rounding.
  const room = Math.round((Math.min(factor * own, maxStake) - own - delegated) * 1e9) / 1e9
  return room < minDelegation || left < minDuration ? 0 : room
}

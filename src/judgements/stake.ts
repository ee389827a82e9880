// How the weight of a validator set is spread, and how much more can be delegated.

/** Undefined when a weight is unknown: the sum would be too small. */
export function totalOf(weights: readonly (bigint | undefined)[]): bigint | undefined {
  return weights.every((weight) => weight !== undefined) ? sum(weights) : undefined
}

/** Share of the total weight that the `top` heaviest hold, 0 to 1; undefined without weight. */
export function topRatio(heaviestFirst: readonly bigint[], top: number): number | undefined {
  const total = sum(heaviestFirst)
  return total === 0n ? undefined : Number(sum(heaviestFirst.slice(0, top))) / Number(total)
}

/** Smallest number of validators that together hold more than a third of the weight; undefined without weight. */
export function nakamotoCoefficient(heaviestFirst: readonly bigint[]): number | undefined {
  const total = sum(heaviestFirst)
  let held = 0n
  for (const [at, weight] of heaviestFirst.entries()) {
    held += weight
    if (3n * held > total) return at + 1
  }
  return undefined
}

function sum(weights: readonly bigint[]): bigint {
  return weights.reduce((total, weight) => total + weight, 0n)
}

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

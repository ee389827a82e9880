// Finds the last existing place, such as a height of a chain, by asking whether single places exist. Needs few
// questions if a place near the end is known.

type IsThere = (place: bigint) => Promise<boolean>

/**
 * The last existing place; undefined if not even place 0 exists. Tries the places in `near` first, the greatest of them
 * before the others, and no place twice. If a place exists, all below it count as existing.
 */
export async function findEnd(near: readonly bigint[], isThere: IsThere): Promise<bigint | undefined> {
  let missing: bigint | undefined
  for (const place of near.toSorted((a, b) => (a < b ? 1 : -1))) {
    if (place === missing) continue
    if (await isThere(place)) return searchUp(place, missing, isThere)
    missing = place
  }
  for (let step = 1n; missing !== 0n; step *= 2n) {
    const place: bigint = missing === undefined || missing < step ? 0n : missing - step
    if (await isThere(place)) return searchUp(place, missing, isThere)
    missing = place
  }
  return undefined
}

/** Doubles its steps until a place is missing, then bisects. */
async function searchUp(from: bigint, to: bigint | undefined, isThere: IsThere): Promise<bigint> {
  let there = from
  let missing = to
  for (let step = 1n; missing === undefined || there + step < missing; step *= 2n) {
    if (await isThere(there + step)) there += step
    else missing = there + step
  }
  while (missing - there > 1n) {
    const middle: bigint = (there + missing) / 2n
    if (await isThere(middle)) there = middle
    else missing = middle
  }
  return there
}

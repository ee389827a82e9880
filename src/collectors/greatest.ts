// Finding the end of something by asking whether a place is there: few questions where a place near it is known.

/**
 * The greatest place that is there, undefined when not even place 0 is. Places in `near` are tried first, the greatest
 * before the others. `isThere` is asked for each place at most once; all places below one that is there count as there.
 */
export async function greatest(
  near: readonly bigint[],
  isThere: (place: bigint) => Promise<boolean>,
): Promise<bigint | undefined> {
  let low: bigint | undefined
  let high: bigint | undefined
  const tries = (place: bigint) => low === undefined && place >= 0n && (high === undefined || place < high)
  const ask = async (place: bigint) => {
    if (await isThere(place)) low = place
    else high = place
  }
  for (const place of near.toSorted((a, b) => (a < b ? 1 : -1))) if (tries(place)) await ask(place)
  for (let step = 1n; low === undefined && high !== 0n; step *= 2n) {
    await ask(high === undefined || high < step ? 0n : high - step)
  }
  if (low === undefined) return undefined
  for (let step = 1n; high === undefined || low + step < high; step *= 2n) {
    const before: bigint = low
    await ask(low + step)
    if (low === before) break
  }
  while (high !== undefined && high - low > 1n) await ask((low + high) / 2n)
  return low
}

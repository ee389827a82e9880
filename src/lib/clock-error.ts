// Decides whose clock is wrong: ours, or that of one upstream.

/** Milliseconds that our clock was ahead of an upstream's, and when that was (on the steady clock). */
export interface Offset {
  ahead: number
  at: number
}

/** Synchronised machines differ by milliseconds, and an answer is a second or two old at most (milliseconds). */
const CLOCK_WRONG = 60_000
/** Number of answers in the median, so that one late answer does not decide. */
const LATEST = 5
const HOUR = 3_600_000

export const noted = (offsets: readonly Offset[], one: Offset): readonly Offset[] => [...offsets, one].slice(-LATEST)

/** From the answers of the last hour; undefined without any. */
export function medianAhead(offsets: readonly Offset[], steady: number): number | undefined {
  return median(offsets.filter(({ at }) => steady - at < HOUR).map(({ ahead }) => ahead))
}

/** How far our clock is off (milliseconds) if more than half of the upstreams agree, else 0. */
export function ownError(upstreams: readonly number[]): number {
  const of = (sign: number) => upstreams.filter((ahead) => sign * ahead > CLOCK_WRONG)
  const agreed = [of(1), of(-1)].find((some) => some.length > upstreams.length / 2)
  return agreed ? median(agreed)! : 0
}

/** One that was measured: a mean of two would be of neither. */
function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

// From the smallest unit of a token to whole tokens, without a float in between.

/** Decimal places of the primary network's token. */
const NANO = 9
/** A double represents all integers up to this, and powers of ten with up to this many zeros, exactly. */
const [EXACT, EXACT_DECIMALS] = [BigInt(Number.MAX_SAFE_INTEGER), 22]

/** The double nearest to `amount / 10^decimals`; undefined for an unknown amount. */
export function toTokens(amount: bigint, decimals?: number): number
export function toTokens(amount: bigint | undefined, decimals?: number): number | undefined
export function toTokens(amount: bigint | undefined, decimals: number = NANO): number | undefined {
  if (amount === undefined) return undefined
  // Both doubles are exact, so their quotient is the nearest double.
  if (amount <= EXACT && amount >= -EXACT && decimals <= EXACT_DECIMALS) return Number(amount) / 10 ** decimals
  const sign = amount < 0n ? '-' : ''
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  return Number(`${sign}${digits.slice(0, point)}.${digits.slice(point)}`)
}

export function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n)
}

/** A percentage as a share from 0 to 1, without the noise that a division leaves in the last digits. */
export function toRatio(percent: number): number
export function toRatio(percent: number | undefined): number | undefined
export function toRatio(percent: number | undefined): number | undefined {
  return percent === undefined ? undefined : Number((percent / 100).toPrecision(14))
}

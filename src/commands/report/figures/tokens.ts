// Amounts of the staking token, exact: whole numbers of its smallest unit, and their text.

/** The primary network's token has nine decimal places. */
const DECIMALS = 9

/** Metrics are doubles, which have the smallest unit up to nine million tokens; beyond, it is the nearest. */
export function tokens(value: number): bigint {
  // From here on a text has an exponent, and a double no decimal places.
  if (Math.abs(value) >= 1e21) return BigInt(value) * 10n ** BigInt(DECIMALS)
  return BigInt(value.toFixed(DECIMALS).replace('.', ''))
}

/** `2000.5`: all places that are not zero, never an exponent. */
export function tokenText(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(DECIMALS + 1, '0')
  const places = digits.slice(-DECIMALS).replace(/0+$/, '')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -DECIMALS)}${places === '' ? '' : `.${places}`}`
}

/** `2,000.5`, for people. */
export function groupedTokens(amount: bigint): string {
  const [whole = '', places] = tokenText(amount).split('.')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${places === undefined ? '' : `.${places}`}`
}

/** To twelve significant digits: the last ones of a double are noise of its arithmetic. */
export const rounded = (value: number) => Number(value.toPrecision(12))

/** A number as a decimal text without an exponent, to twelve significant digits. */
export function decimalText(value: number): string {
  const short = rounded(value)
  const exponent = short === 0 ? 0 : Math.floor(Math.log10(Math.abs(short)))
  const text = short.toFixed(Math.min(100, Math.max(0, 11 - exponent)))
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** For charts and prices, where the last places do not matter. */
export function tokensAsNumber(amount: bigint): number
export function tokensAsNumber(amount: bigint | undefined): number | undefined
export function tokensAsNumber(amount: bigint | undefined): number | undefined {
  return amount === undefined ? undefined : Number(amount) / 10 ** DECIMALS
}

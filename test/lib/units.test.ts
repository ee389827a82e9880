import { assert, bigInt, integer, property, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toTokens } from '../../src/lib/units.ts'

describe('tokens', () => {
  // A double holds about 17 digits: the right answer is the double that the decimal text is read as.
  // Expected is the exact decimal text; a number holds the double nearest to it.
  test.each([
    ['zero', 0n, 9, '0'],
    ['zero of the most decimals', 0n, 36, '0'],
    ['one unit', 1n, 9, '0.000000001'],
    ['one unit below a token', 999_999_999n, 9, '0.999999999'],
    ['one token', 1_000_000_000n, 9, '1'],
    ['the capped supply', 720_000_000_000_000_000n, 9, '720000000'],
    ['the capped supply and one unit', 720_000_000_000_000_001n, 9, '720000000.000000001'],
    ['the capped supply less one unit', 719_999_999_999_999_999n, 9, '719999999.999999999'],
    ['the greatest 64-bit amount', 18_446_744_073_709_551_615n, 9, '18446744073.709551615'],
    ['the greatest 64-bit amount of 18 decimals', 18_446_744_073_709_551_615n, 18, '18.446744073709551615'],
    ['one unit of 18 decimals', 1n, 18, '0.000000000000000001'],
    ['one token of 18 decimals', 1_000_000_000_000_000_000n, 18, '1'],
    ['no decimals', 42n, 0, '42'],
    ['a negative amount below one', -1n, 9, '-0.000000001'],
    ['a negative amount', -1_500_000_000n, 9, '-1.5'],
  ])('%s', (_, amount, decimals, expected) => {
    // toBe distinguishes 0 from -0.
    expect(toTokens(amount, decimals)).toBe(Number(expected))
  })

  test('has 9 decimals by default', () => {
    expect(toTokens(2_500_000_000n)).toBe(2.5)
  })

  test('is not rounded twice, as a division of doubles would be', () => {
    const amount = 720_000_000_123_456_789n
    expect(toTokens(amount)).toBe(Number('720000000.123456789'))
    expect(Number(amount) / 1e9).not.toBe(Number('720000000.123456789'))
  })

  test('whole tokens are exact as far as doubles reach', () => {
    const whole = tuple(bigInt(-(2n ** 53n), 2n ** 53n), integer({ min: 0, max: 18 }))
    assert(
      property(whole, ([tokens, decimals]) => {
        expect(BigInt(toTokens(tokens * 10n ** BigInt(decimals), decimals))).toBe(tokens)
      }),
      { seed: 1 },
    )
  })

  test('the double nearest to the exact quotient', () => {
    const amounts = tuple(bigInt(-(2n ** 64n), 2n ** 64n), integer({ min: 0, max: 18 }))
    assert(
      property(amounts, ([amount, decimals]) => {
        const got = toTokens(amount, decimals)
        const error = distance(got, amount, decimals)
        expect(error <= distance(neighbour(got, 1n), amount, decimals)).toBe(true)
        expect(error <= distance(neighbour(got, -1n), amount, decimals)).toBe(true)
      }),
      { seed: 1 },
    )
  })
})

/** |value - amount / 10^decimals|, exactly, in units of 2^-1074 / 10^decimals: every double is a multiple of 2^-1074. */
function distance(value: number, amount: bigint, decimals: number): bigint {
  const scaled = exactly(value) * 10n ** BigInt(decimals)
  const difference = scaled - (amount << 1_074n)
  return difference < 0n ? -difference : difference
}

/** A double times 2^1074, from its bits. */
function exactly(value: number): bigint {
  const raw = bits(Math.abs(value))
  const exponent = raw >> 52n
  const fraction = raw & (2n ** 52n - 1n)
  const size = exponent === 0n ? fraction : (fraction | (2n ** 52n)) << (exponent - 1n)
  return value < 0 ? -size : size
}

/** The next double away from zero, or back. */
function neighbour(value: number, step: bigint): number {
  if (value === 0) return Number(step) * Number.MIN_VALUE
  const view = new DataView(new ArrayBuffer(8))
  view.setBigUint64(0, bits(value) + step)
  return view.getFloat64(0)
}

function bits(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  return view.getBigUint64(0)
}

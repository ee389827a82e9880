import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findEnd } from '../../../src/collectors/nodes/p-chain-standing.ts'

async function search(end: bigint, near: readonly bigint[]) {
  const asked: bigint[] = []
  const found = await findEnd(near, async (place) => {
    asked.push(place)
    return place <= end
  })
  return { found, asked }
}

describe('finding the last existing place', () => {
  test.each<[string, bigint, bigint[], bigint[]]>([
    ['where it was guessed', 1_000n, [1_000n, 990n], [1_000n, 1_001n]],
    // 1,001 is there; 1,003 is not; between them is 1,002.
    ['a little above the guess', 1_002n, [990n, 1_000n], [1_000n, 1_001n, 1_003n, 1_002n]],
    // Not 1,000; 990 is; 991 is; 993 is not; 992 is.
    ['between two guesses', 992n, [1_000n, 990n], [1_000n, 990n, 991n, 993n, 992n]],
    // Not 1,000, 990, 989 and 987; 983 is; 984 is; 986 is.
    ['below both', 986n, [1_000n, 990n], [1_000n, 990n, 989n, 987n, 983n, 984n, 986n]],
    ['the first one', 0n, [1n], [1n, 0n]],
    ['the first one, without a guess', 0n, [], [0n, 1n]],
    ['there, without a guess', 3n, [], [0n, 1n, 3n, 7n, 5n, 4n]],
  ])('%s', async (_, end, near, questions) => {
    expect(await search(end, near)).toEqual({ found: end, asked: questions })
  })

  test('is found from any guess with few and no repeated questions', async () => {
    const place = fc.bigInt(0n, 2n ** 40n)
    await fc.assert(
      fc.asyncProperty(place, fc.array(place, { maxLength: 2 }), async (end, near) => {
        const { found, asked } = await search(end, near)
        expect(found).toBe(end)
        expect(new Set(asked).size).toBe(asked.length)
        expect(asked.length).toBeLessThanOrEqual(125)
      }),
    )
  })
})

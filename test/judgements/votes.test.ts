import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { voteStateOf, voteStates, votesOf } from '../../src/judgements/votes.ts'

describe('the vote about a reward', () => {
  test('half for and half against decides nothing', () => {
    const voter = (uptime: number) => ({ weight: 2n, uptime })
    expect(voteStateOf(votesOf([voter(0.9), voter(0.1)], 0.8))).toBe('undecided')
  })

  /** An observer: its stake in the smallest unit, and what it has seen in hundredths of a percent; undefined: it is silent. */
  interface Observer {
    stake: bigint
    seen: number | undefined
  }

  /** Up to the most that one validator may have, and often the same as others, so that halves are met exactly. */
  const stake = fc.oneof(fc.bigInt(1n, 3_000_000_000_000_000n), fc.constantFrom(1n, 2_000_000_000_000n))
  const decisive = fc.constantFrom(7_999, 8_000, 8_001, 8_999, 9_000, 9_001)
  const opinions = {
    for: fc.oneof(fc.integer({ min: 9_000, max: 10_000 }), decisive),
    against: fc.oneof(fc.integer({ min: 1, max: 7_999 }), decisive),
    /** It has just started. */
    fresh: fc.constant(0),
    silent: fc.constant(undefined),
  }
  /** In each case most of the observers lean to another side. */
  const observers = fc
    .record({ for: fc.nat(9), against: fc.nat(9), fresh: fc.nat(2), silent: fc.nat(2) })
    .chain((weights) =>
      fc.array(
        fc.record({
          stake,
          seen: fc.oneof(
            ...(Object.keys(opinions) as (keyof typeof opinions)[]).map((kind) => ({
              weight: weights[kind] + 1,
              arbitrary: opinions[kind] as fc.Arbitrary<number | undefined>,
            })),
          ),
        }),
        { minLength: 50, maxLength: 50 },
      ),
    )

  /** Who wins when everybody has voted; undefined when it is a tie. */
  function winner(all: readonly Observer[], percent: bigint, unknownVote: boolean): boolean | undefined {
    let balance = 0n
    for (const { stake, seen } of all) {
      const isFor = seen === undefined || seen === 0 ? unknownVote : BigInt(seen) >= percent * 100n
      balance += isFor ? stake : -stake
    }
    return balance === 0n ? undefined : balance > 0n
  }

  /** By the definition: decided is what comes out however those vote of which nothing is known. */
  function decided(all: readonly Observer[], percent: bigint): string {
    const [best, worst] = [winner(all, percent, true), winner(all, percent, false)]
    if (best === true && worst === true) return 'granted'
    return best === false && worst === false ? 'refused' : 'undecided'
  }

  test.each([
    ['80 %', 80n],
    ['90 %', 90n],
  ])(
    'of 50 observers that disagree, the judgement agrees with the stake-weighted vote in 1,000 cases: %s is required',
    (_, percent) => {
      const met = new Set<string>()
      fc.assert(
        fc.property(observers, (all) => {
          const expected = decided(all, percent)
          met.add(expected)
          const voters = all.map(({ stake, seen }) => ({
            weight: stake,
            uptime: seen === undefined ? undefined : seen / 10_000,
          }))
          expect(voteStateOf(votesOf(voters, Number(percent) / 100))).toBe(expected)
        }),
        { numRuns: 1_000, seed: 261_122 },
      )
      expect(met).toEqual(new Set(voteStates))
    },
  )
})

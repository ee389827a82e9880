// The draw, against AvalancheGo's own, and against the form that the simulator has of it.

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NODE_ID_PREFIX, toCb58 } from '../../src/lib/ids.ts'
import { drawProposer, lineUp } from '../../src/simulator/world/draw.ts'
import { prepareSet, proposerOf } from '../../src/turns/draw.ts'
import { vectors } from './vectors.ts'

const P_CHAIN = '11111111111111111111111111111111LpoYY'
const nodeId = (bytes: Uint8Array) => NODE_ID_PREFIX + toCb58(bytes)
const INACTIVE = nodeId(new Uint8Array(20))

type Weights = [nodeId: string, weight: bigint][]
const ofDaemon = (weights: Weights, chainId: string) => {
  const set = prepareSet(weights)
  return (height: bigint, slot: number) => proposerOf(set, chainId, height, slot)
}
const ofSimulator = (weights: Weights, chainId: string) => {
  const line = lineUp(new Map(weights))
  return (height: bigint, slot: number) => drawProposer(line, chainId, height, slot)
}

describe.each([
  ['the daemon', ofDaemon],
  ['the simulator', ofSimulator],
])('%s draws as AvalancheGo does', (_, drawing) => {
  test.each(vectors.sets.map((set) => [`${set.name}, ${set.chainID}`, set] as const))('%s', (_, set) => {
    const weights = Object.entries(set.validators).map(([id, weight]): Weights[0] => [id, BigInt(weight)])
    const draw = drawing(weights, set.chainID)
    const drawn = Object.keys(set.turns).map((height) => [
      height,
      vectors.slots.map((slot) => draw(BigInt(height), slot)),
    ])
    expect(Object.fromEntries(drawn)).toEqual(set.turns)
  })
})

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
/** Weights of all sizes, many of them alike. */
const weight = fc.oneof(fc.bigInt(0n, 3n), fc.constantFrom(2_000_000_000_000n, 2n ** 40n), fc.bigInt(0n, 2n ** 58n))
const weights = fc.uniqueArray(fc.tuple(bytes(20).map(nodeId), weight), {
  selector: ([id]) => id,
  minLength: 1,
  maxLength: 40,
})
const chainId = bytes(32).map(toCb58)
const height = fc.oneof(fc.bigInt(0n, 1_000n), fc.bigInt(0n, 2n ** 64n - 1n))
const slot = fc.oneof(fc.nat(1_000), fc.nat(2 ** 31))

test('the daemon and the simulator draw the same, from sets in any order', () => {
  fc.assert(
    fc.property(weights, chainId, height, fc.array(slot, { minLength: 1, maxLength: 3 }), (set, chain, at, slots) => {
      fc.pre(set.every(([id]) => id !== INACTIVE))
      const [draw, reference] = [ofDaemon(set.toReversed(), chain), ofSimulator(set, chain)]
      expect(slots.map((one) => draw(at, one))).toEqual(slots.map((one) => reference(at, one)))
    }),
    { numRuns: 300 },
  )
})

// Where most numbers are drawn again, and on both sides of where that changes.
test.each([
  ['a little more than a quarter of 64 bits', 2n ** 62n + 12n],
  ['one less than half of 64 bits', 2n ** 63n - 1n],
  ['half of 64 bits', 2n ** 63n],
  ['one more than half of 64 bits', 2n ** 63n + 1n],
  ['as much as 64 bits hold', 2n ** 64n - 1n],
])('the daemon and the simulator draw the same if all weigh %s', (_, total) => {
  const ids = [1, 2, 3].map((one) => nodeId(new Uint8Array(20).fill(one)))
  const set: Weights = ids.map((id, at) => [id, at === 0 ? total - 2n * (total / 3n) : total / 3n])
  const [draw, reference] = [ofDaemon(set, P_CHAIN), ofSimulator(set, P_CHAIN)]
  const drawn = Array.from({ length: 100 }, (_, at) => draw(7n, at))
  expect(drawn).toEqual(drawn.map((_, at) => reference(7n, at)))
  expect(new Set(drawn)).toEqual(new Set(ids))
})

describe('a set', () => {
  const first: Weights = Object.entries(vectors.sets[1]!.validators).map(([id, all]) => [id, BigInt(all)])
  const slots = [...Array(50).keys()]

  test('is not changed by the weight of the inactive validators', () => {
    const [without, withThem] = [first, [...first, [INACTIVE, 10n ** 15n] as Weights[0]]].map((set) =>
      slots.map((at) => ofDaemon(set, P_CHAIN)(1n, at)),
    )
    expect(withThem).toEqual(without)
  })

  test.each<[string, Weights]>([
    ['without validators', []],
    ['of inactive validators alone', [[INACTIVE, 5n]]],
    ['without weight', [[first[0]![0], 0n]]],
  ])('%s has no turns', (_, set) => {
    expect(ofDaemon(set, P_CHAIN)(1n, 0)).toBeUndefined()
  })

  test('may weigh as much as 64 bits hold, and no more', () => {
    const [a, b] = first.map(([id]) => id) as [string, string]
    const draw = ofDaemon(
      [
        [a, 2n ** 64n - 2n],
        [b, 1n],
      ],
      P_CHAIN,
    )
    expect(draw(1n, 0)).toBe(a)
    expect(() =>
      prepareSet([
        [a, 2n ** 64n - 1n],
        [b, 1n],
      ]),
    ).toThrow(expect.objectContaining({ code: 'implausible_response', reason: 'total' }))
  })

  test('with an unreadable node id is refused, and so is an unreadable id of the chain', () => {
    const unreadable = expect.objectContaining({ code: 'bad_response' })
    expect(() => prepareSet([['NodeID-1', 1n]])).toThrow(unreadable)
    expect(() => ofDaemon(first, 'P')(1n, 0)).toThrow(unreadable)
  })
})

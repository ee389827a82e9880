// Slots, and whose turns they were on the first blocks of a real P-Chain.

import { describe, expect, test } from 'vitest'
import { type Block, type BuiltBlock, readContainer } from '../../src/turns/block.ts'
import { prepareSet, proposerOf } from '../../src/turns/draw.ts'
import { headerOf, passedBefore, slotOf } from '../../src/turns/slots.ts'
import { resultOf } from '../recorded/recorded.ts'
import { rowsOf } from '../support/rows.ts'
import { ofPChain } from './recorded-blocks.ts'
import { vectors } from './vectors.ts'

const P_CHAIN = '11111111111111111111111111111111LpoYY'

describe('the slot', () => {
  test.each([
    [0, 0],
    [4, 0],
    [5, 1],
    [9, 1],
    [10, 2],
    [3_600, 720],
    [86_400, 17_280],
  ])('%i s after the parent', (seconds, slot) => {
    expect(slotOf(1_795_303_927 + seconds, 1_795_303_927)).toBe(slot)
  })

  test('of a block before its parent is none', () => {
    expect(() => slotOf(999, 1_000)).toThrow(expect.objectContaining({ code: 'stale_response', reason: 'older' }))
  })

  test('is as long as for AvalancheGo', () => {
    expect(slotOf(vectors.windowSeconds, 0)).toBe(1)
  })
})

describe('who let a slot pass', () => {
  const { chainID, validators, turns } = vectors.sets[2]!
  const set = prepareSet(Object.entries(validators).map(([id, weight]) => [id, BigInt(weight)]))
  const [first, second, third] = turns['1000']!

  test.each([
    [0, []],
    [1, [first]],
    [3, [first, second, third]],
  ])('before slot %i', (slot, passed) => {
    expect(passedBefore(set, chainID, 1_000n, slot)).toEqual(passed)
  })

  test.each([720, 721, 10 ** 9])('before slot %i: those of the first hour', (slot) => {
    const passed = passedBefore(set, chainID, 1_000n, slot)
    expect(passed).toHaveLength(720)
    expect(vectors.slots.map((at) => passed[at])).toEqual(turns['1000'])
  })

  test('is not known where any node may build', () => {
    expect(passedBefore(prepareSet([]), chainID, 1_000n, 7)).toEqual([])
  })
})

describe('what counts for the next turn', () => {
  const parent = { time: 7, pChainHeight: 3n }
  const read = (at: number) => readContainer(ofPChain[at]!.bytes)
  const proposal = read(22) as BuiltBlock

  test.each<[string, Block, ReturnType<typeof headerOf>]>([
    ['of a block is its own header', proposal, { time: 1_795_304_304, pChainHeight: 22n }],
    ['of an option is that of its parent', read(23), parent],
    ['of a bare block is unknown', { kind: 'bare', inner: proposal.inner }, undefined],
  ])('%s', (_, block, expected) => {
    const found = headerOf(block, parent)
    expect(found && { time: found.time, pChainHeight: found.pChainHeight }).toEqual(expected)
  })
})

/** A validator's own stake, or a delegation to it. */
interface Stake {
  nodeID: string
  weight: string
  startTime: string
}

describe('on a real P-Chain', () => {
  const built = ofPChain
    .map(({ bytes }) => readContainer(bytes))
    .filter((block): block is BuiltBlock => block.kind === 'block')
  const listed = (of: string, name: string) =>
    (resultOf(of, name) as { validators: (Stake & { delegators?: Stake[] })[] }).validators
  const stakes: Stake[] = [
    ...listed('platform.getCurrentValidators', 'live primar after transactions'),
    ...listed('platform.getCurrentValidators', 'one node with delegators')[0]!.delegators!,
    ...listed('transport', 'unknown params nodeIds')[0]!.delegators!,
  ]

  /** Since Durango a stake counts from the block on that has its transaction: it begins at the time of that block. */
  function weightsAt(height: bigint): Map<string, bigint> {
    const time = height === 0n ? 1_791_000_000 : built[Number(height) - 1]!.time
    const weights = new Map<string, bigint>()
    for (const { nodeID, weight } of stakes.filter(({ startTime }) => Number(startTime) <= time)) {
      weights.set(nodeID, (weights.get(nodeID) ?? 0n) + BigInt(weight))
    }
    return weights
  }

  /** Height, number of validators, slot. The first block has no proposer. */
  test.each(
    rowsOf(`
      2 | 5 | 0
      3 | 5 | 0
      4 | 5 | 0
      5 | 5 | 0
      6 | 5 | 25
      7 | 5 | 0
      8 | 6 | 0
      9 | 6 | 0
      10 | 6 | 0
      11 | 6 | 0
      12 | 7 | 0
      13 | 7 | 0
      14 | 7 | 7
      15 | 7 | 0
      16 | 7 | 0
      17 | 7 | 0
      18 | 7 | 4
      19 | 7 | 7
      20 | 7 | 0
      21 | 7 | 5
      22 | 7 | 3
      23 | 7 | 19
    `),
  )(
    'block %s was built by the validator, one of %s, to whom slot %s fell',
    (height = '', validators = '', slot = '') => {
      const [parent, block] = built.slice(Number(height) - 2)
      const weights = weightsAt(parent!.pChainHeight)
      expect(weights.size).toBe(Number(validators))
      expect(slotOf(block!.time, parent!.time)).toBe(Number(slot))
      expect(proposerOf(prepareSet(weights), P_CHAIN, BigInt(height), Number(slot))).toBe(block!.proposer)
    },
  )
})

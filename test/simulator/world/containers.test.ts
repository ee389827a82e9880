// The indexes as a whole: every way to a container leads to the same one, and it stays where it is.

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readId, toCb58 } from '../../../src/lib/ids.ts'
import type { Containers, Indexes } from '../../../src/simulator/world/containers.ts'
import { createWorld } from '../../../src/simulator/world/world.ts'

const EPOCH = 1_780_000_000
const start = (seed = 1) => createWorld({ seed, epoch: EPOCH, validators: 20, delegations: 30, observers: 2 })

/** By a name for the table. */
const all = ({ blocks, proposals, transactions, oldTransactions, vertices }: Indexes): [string, Containers][] => [
  ...Object.entries(blocks).map(([chain, one]): [string, Containers] => [`${chain} blocks`, one]),
  ...Object.entries(proposals).map(([chain, one]): [string, Containers] => [`${chain} proposals`, one]),
  ['transactions', transactions],
  ['old transactions', oldTransactions],
  ['vertices', vertices],
]
const listed = (containers: Containers) =>
  Array.from({ length: containers.last() + 1 }, (_, position) => containers.at(position)!)

describe.each(all(start().indexes))('%s', (_, containers) => {
  test('are found by their ids where they stand, in order of time, and nowhere else', () => {
    const found = listed(containers)
    expect(found.length).toBeGreaterThan(10)
    expect(found.map(({ id }) => containers.find(id))).toEqual(found.map((_, position) => position))
    expect(found.map(({ time }) => time)).toEqual(found.map(({ time }) => time).toSorted((a, b) => a - b))
    for (const position of [-1, found.length, 2 ** 60]) expect(containers.at(position)).toBeUndefined()
  })
})

test('a proposal is not found by another id that names the same block, nor by one of a block that is not there', () => {
  const { indexes, chains } = start()
  const { id } = indexes.proposals.P.at(7)!
  const bytes = Buffer.from(readId(id).value!)
  const [other, later] = [Buffer.from(bytes), Buffer.from(bytes)]
  other[0]! ^= 1
  later.writeUIntBE(chains.P.head() + 2, 26, 6)
  expect([bytes, other, later].map((one) => indexes.proposals.P.find(toCb58(one)))).toEqual([7, undefined, undefined])
})

test('containers keep their place while blocks arrive, however often they are read; no old ones are added', () => {
  const end = EPOCH + 3 * 3_600
  const atOnce = start()
  atOnce.advance(end)
  const whole = new Map(all(atOnce.indexes).map(([name, one]) => [name, listed(one)]))
  const looks = fc.array(fc.integer({ min: EPOCH, max: end }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(looks, fc.double({ min: 0, max: 1, noNaN: true }), (times, where) => {
      const world = start()
      for (const time of times.toSorted((a, b) => a - b)) {
        world.advance(time)
        for (const [name, containers] of all(world.indexes)) {
          const position = Math.floor(where * containers.last())
          const { bytes, ...expected } = whole.get(name)![position]!
          expect(containers.at(position)).toMatchObject(expected)
          expect(containers.at(position)!.bytes()).toBe(bytes())
          expect(containers.find(expected.id)).toBe(position)
        }
      }
    }),
    { numRuns: 15 },
  )
  const { indexes } = start()
  expect([indexes.oldTransactions.last(), indexes.vertices.last()]).toEqual([39, 11])
  expect([atOnce.indexes.oldTransactions.last(), atOnce.indexes.vertices.last()]).toEqual([39, 11])
})

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

  test('nothing else is found', () => {
    const digits = Array.from('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz')
    const { id } = containers.at(0)!
    /** Another id that ends as this one does: in the number by which it is found. */
    const alike = fc
      .array(fc.constantFrom(...digits), { minLength: 42, maxLength: 42 })
      .map((one) => one.join('') + id.slice(-8))
    fc.assert(
      fc.property(fc.oneof(alike, fc.string()), (other) => {
        expect(containers.find(other)).toBeUndefined()
      }),
    )
  })
})

test('blocks are those of the chain but the first, and their proposals have other ids and hold them', () => {
  const { chains, indexes } = start()
  for (const name of ['P', 'X', 'C'] as const) {
    const [chain, blocks, proposals] = [chains[name], indexes.blocks[name], indexes.proposals[name]]
    expect([blocks.last(), proposals.last()]).toEqual([chain.head() - 1, chain.head() - 1])
    for (const position of [0, 41, blocks.last()]) {
      const { hash, time, size } = chain.block(position + 1)!
      const [block, proposal] = [blocks.at(position)!, proposals.at(position)!]
      expect(block).toMatchObject({ id: hash, time })
      expect(proposal.time).toBe(time)
      expect(block.bytes()).toMatch(new RegExp(`^([0-9a-f]{2}){${size}}$`))
      expect(proposal.bytes()).toContain(block.bytes())
      expect([blocks.find(proposal.id), proposals.find(hash)]).toEqual([undefined, undefined])
    }
    expect(blocks.find(chain.block(0)!.hash)).toBeUndefined()
  }
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

test('transactions are those of the X-Chain in the order of its blocks, without those of the first one', () => {
  const { chains, indexes } = start()
  const expected = Array.from({ length: chains.X.head() }, (_, at) => chains.X.block(at + 1)!).flatMap(
    ({ transactions, time, hash }) => transactions.map((id) => ({ id, time, acceptedWith: hash })),
  )
  expect(listed(indexes.transactions)).toMatchObject(expected)
  expect(chains.X.block(0)!.transactions.map(indexes.transactions.find)).not.toContainEqual(expect.any(Number))
  expect(chains.P.block(1)!.transactions.map(indexes.transactions.find)).not.toContainEqual(expect.any(Number))
})

test('what a wallet submits stands with the other transactions of its block', () => {
  const { chains, indexes, ledger, advance } = start()
  const [funds] = ledger.genesis('X', { type: 'test', consumed: [], outputs: [{ owner: 'a', amount: 5n }] }).emitted
  ledger.submit('X', () => ({ type: 'BaseTx', consumed: [funds!], outputs: [{ owner: 'b', amount: 4n }] }))
  advance(chains.X.due())
  const [{ txId }] = ledger.utxosOf('b') as [ReturnType<typeof ledger.utxosOf>[0]]
  expect(indexes.transactions.find(txId)).toBe(indexes.transactions.last())
  expect(indexes.transactions.at(indexes.transactions.last())!.id).toBe(txId)
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

test('at the beginning of time there is history, and nothing else', () => {
  const { indexes } = createWorld({ seed: 1, epoch: 0, validators: 2, delegations: 0, observers: 2 })
  const lasts = all(indexes).map(([name, containers]) => [name, containers.last()])
  expect(lasts.filter(([, last]) => last !== -1)).toEqual([
    ['old transactions', 39],
    ['vertices', 11],
  ])
  expect(indexes.transactions.at(0)).toBeUndefined()
})

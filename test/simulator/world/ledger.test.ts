// The UTXOs of the primary network: what is spent was there, once, and what goes in comes out.

import { expect, test } from 'vitest'
import type { PrimaryChain } from '../../../src/lib/primary-network.ts'
import { createChain } from '../../../src/simulator/world/blocks.ts'
import { createLedger } from '../../../src/simulator/world/ledger.ts'
import { createWorld } from '../../../src/simulator/world/world.ts'

const EPOCH = 1_780_000_000
const world = createWorld({ seed: 1, epoch: EPOCH, validators: 20, delegations: 30, observers: 2 })

test.each(['P', 'X'] as PrimaryChain[])(
  'strangers on the %s-Chain: each takes the coin from the one before, less a fee for each number',
  (name) => {
    const ascending = [...world.ledger.transactions(name, 'asc')].filter(({ position }) => position < 3)
    expect(ascending.length).toBeGreaterThan(50)
    for (const [at, { consumed, emitted }] of ascending.entries()) {
      const [from, to] = [consumed[0]!, emitted[0]!]
      expect(at === 0 ? 'first' : ascending[at - 1]!.emitted[0]!.id).toBe(at === 0 ? 'first' : from.id)
      expect((from.amount - to.amount) % 10_000n).toBe(0n)
      expect(from.amount).toBeGreaterThan(to.amount)
      expect(to.spent?.txId).toBe(ascending[at + 1]?.id)
    }
  },
)

test('what is submitted gets into the next block, and can be spent once', () => {
  const own = createWorld({ seed: 1, epoch: EPOCH, validators: 20, delegations: 30, observers: 2 })
  const { ledger, chains } = own
  const [funds] = ledger.genesis('P', { type: 'test', consumed: [], outputs: [{ owner: 'a', amount: 5n }] }).emitted
  const pay = (to: string) =>
    ledger.submit('P', () => ({ type: 'BaseTx', consumed: [funds!], outputs: [{ owner: to, amount: 4n }] }))
  const height = chains.P.head() + 1
  pay('b')
  ledger.submit('P', () => undefined)
  expect([...ledger.unspentOf('a')]).toEqual([funds])
  own.advance(chains.P.due())
  const block = chains.P.block(height)!
  expect([...ledger.unspentOf('a')]).toEqual([])
  const [paid] = ledger.utxosOf('b')
  expect(paid).toMatchObject({ amount: 4n, chain: 'P', destination: 'P', height, time: block.time })
  expect(block.transactions.at(-1)).toBe(paid!.txId)
  expect(funds!.spent).toEqual({ txId: paid!.txId, chain: 'P', height, time: block.time })
  expect(chains.P.totals().transactions).toBe(
    Array.from({ length: height + 1 }, (_, at) => chains.P.block(at)!.transactions.length).reduce((a, b) => a + b),
  )
  pay('c')
  expect(() => own.advance(chains.P.due())).toThrow('is spent twice')
})

test.each(['asc', 'desc'] as const)('the transactions of a chain are worked out as they are read (%s)', (order) => {
  const chain = (name: string) =>
    createChain({ seed: 1, name, begin: 0, pace: [1, 1], types: ['Standard'], strangers: [1, 1], smallest: 200 })
  const chains = { P: chain('P'), X: chain('X'), C: chain('C') }
  chains.P.advance(10_000)
  let asked = 0
  const counted = {
    ...chains.P,
    strangers: (height: number) => {
      asked += 1
      return chains.P.strangers(height)
    },
  }
  const ledger = createLedger(1, 0, { ...chains, P: counted })
  const [first] = ledger.transactions('P', order)
  expect(first!.height).toBe(order === 'asc' ? 0 : 10_000)
  expect(asked).toBeLessThan(20)
})

test('no two ids are alike among many', () => {
  const many = 5_000
  const { ledger } = createWorld({ seed: 1, epoch: EPOCH, validators: 1, delegations: 0, observers: 1 })
  const all = Array.from({ length: many }, () =>
    ledger.genesis('P', { type: 'test', consumed: [], outputs: [{ owner: 'a', amount: 1n }] }),
  )
  expect(new Set(all.map(({ id }) => id)).size).toBe(many)
  expect(new Set(all.map(({ emitted }) => emitted[0]!.id)).size).toBe(many)
})

const about = (validationId: string) => ({
  validationId,
  nodeId: 'NodeID-1',
  subnetId: 'subnet',
  weight: 1n,
  remainingBalance: 1,
})

test('of long ago it keeps the newest transaction of each type of an L1 validator that is still there', () => {
  const { ledger } = createWorld({ seed: 1, epoch: EPOCH, validators: 1, delegations: 0, observers: 1 })
  const make = (type: string, validationId: string) =>
    ledger.genesis('P', { type, consumed: [], outputs: [], facts: { l1Validators: [about(validationId)] } })
  for (const id of ['here', 'gone']) for (const type of ['topUp', 'topUp', 'weight']) make(type, id)
  const [, topUp, weight] = ledger.transactionsOf('here')
  ledger.forget(EPOCH + 1, new Set(['here']))
  expect(ledger.transactionsOf('here')).toEqual([topUp, weight])
  expect(ledger.transactionsOf('gone')).toEqual([])
})

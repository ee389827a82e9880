// The wallets that trade: what goes in comes out, less a fee, whatever the seed and the time.

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Transaction } from '../../../src/simulator/world/transactions.ts'
import { createWorld, type World } from '../../../src/simulator/world/world.ts'

const EPOCH = 1_780_000_000
const DAY = 86_400
/** The smallest unit of the P-Chain in that of the EVM. */
const GWEI = 1_000_000_000n

const small = (seed = 1) => createWorld({ seed, epoch: EPOCH, validators: 5, delegations: 5, observers: 2 })
/** A world of any seed, up to half a day after it was handed over. */
const anyWorld = fc
  .record({ seed: fc.nat(), elapsed: fc.integer({ min: 0, max: DAY / 2 }) })
  .map(({ seed, elapsed }) => {
    const world = small(seed)
    world.advance(EPOCH + elapsed)
    return world
  })

/** Of the traders alone, in the order of their chains. */
function traded({ ledger, trade }: World): Transaction[] {
  const found = trade.traders.flatMap(({ address, evm }) => [
    ...ledger.transactionsOf(address),
    ...ledger.transactionsOf(evm),
  ])
  const inBlocks = found.filter(({ position }) => position >= 0)
  return [...new Set(inBlocks)].toSorted((a, b) => a.time - b.time || a.height - b.height || a.position - b.position)
}

/** By asset: what the UTXOs of a transaction take away, or add below 0. */
function missing({ consumed, emitted }: Transaction): Record<string, bigint> {
  const sums: Record<string, bigint> = {}
  for (const { asset, amount } of consumed) sums[asset.symbol] = (sums[asset.symbol] ?? 0n) + amount
  for (const { asset, amount } of emitted) sums[asset.symbol] = (sums[asset.symbol] ?? 0n) - amount
  return sums
}

const paidByEvm = ({ facts }: Transaction) => (facts.evm ?? []).reduce((sum, { amount }) => sum + amount, 0n)

test('each transaction burns the fee of its chain and nothing else; only making an asset adds to it', () => {
  const fees = { P: 40_000n, X: 1_000_000n, C: 350_000n }
  fc.assert(
    fc.property(anyWorld, (world) => {
      const all = traded(world)
      expect(all.length).toBeGreaterThan(30)
      for (const one of all) {
        const { AVAX: avax, ...others } = missing(one)
        const evm = one.chain === 'C' ? (one.type === 'ExportTx' ? paidByEvm(one) : -paidByEvm(one)) : 0n
        expect(avax! + evm).toBe(one.type === 'CreateAssetTx' ? 10_000_000n : fees[one.chain])
        const isMaking = ['CreateAssetTx', 'OperationTx'].includes(one.type)
        const isRight = (sum: bigint) => (isMaking ? sum < 0n : sum === 0n)
        expect(Object.values(others).filter((sum) => !isRight(sum))).toEqual([])
      }
    }),
    { numRuns: 15 },
  )
})

test('behind the EVM there is what was imported less what was exported, at each block, and never less than nothing', () => {
  fc.assert(
    fc.property(anyWorld, (world) => {
      for (const { evm } of world.trade.traders) {
        let sum = 0n
        const ascending = world.ledger.transactionsOf(evm).toSorted((a, b) => a.height - b.height)
        for (const [at, { height, type, facts }] of ascending.entries()) {
          const [paid] = facts.evm!
          expect(paid!.address).toBe(evm)
          sum += type === 'ImportTx' ? paid!.amount : -paid!.amount
          if (ascending[at + 1]?.height === height) continue
          expect(sum).toBeGreaterThanOrEqual(0n)
          expect(world.trade.outside(evm, height)).toBe(sum * GWEI)
          expect(world.trade.outside(evm.toUpperCase().replace('0X', '0x'), height + 1_000_000)).toBe(
            world.trade.outside(evm, world.chains.C.head()),
          )
        }
        expect(world.trade.outside(evm, -1)).toBe(0n)
      }
      expect(world.trade.outside(`0x${'0'.repeat(40)}`, world.chains.C.head())).toBe(0n)
    }),
    { numRuns: 10 },
  )
})

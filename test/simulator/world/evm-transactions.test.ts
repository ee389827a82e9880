// Transactions, transfers of tokens and balances of an EVM chain: they tell the same story.

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EvmTransaction } from '../../../src/simulator/world/evm-transactions.ts'
import { growing } from './evm-growing.ts'

const BLOCKS = 4_000
const { chain, until } = growing()
until(BLOCKS)
const anyBlock = fc.nat(BLOCKS - 1)
const upTo = (count: number) => Array.from({ length: count }, (_, number) => chain.transactions(number)).flat()
const { wallets } = chain.accounts
const fee = ({ gasUsed, gasPrice }: EvmTransaction) => BigInt(gasUsed) * gasPrice
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n)

describe('transactions', () => {
  test('gas and fees of a block are those of its transactions', () => {
    fc.assert(
      fc.property(anyBlock, (number) => {
        const block = chain.block(number)!
        const all = chain.transactions(number)
        expect(all).toHaveLength(block.txCount)
        expect(all.reduce((total, { gasUsed }) => total + gasUsed, 0)).toBe(block.gasUsed)
        expect(sum(all.map(fee))).toBe(block.fees)
        for (const { gasPrice } of all) expect(gasPrice).toBeGreaterThan(block.baseFee)
      }),
    )
  })

  test('each stands in its place, also when it is asked for alone', () => {
    fc.assert(
      fc.property(anyBlock, (number) => {
        const all = chain.transactions(number)
        const first = chain.transactionsBefore(number)
        expect(all.map(({ number, index }) => [number, index])).toEqual(all.map((_, at) => [first + at, at]))
        expect(all.map((one) => one.block)).toEqual(all.map(() => number))
        expect(all.map((one) => chain.transaction(one.number))).toEqual(all)
        expect(all.map((one) => chain.timeOf(one.number))).toEqual(all.map(() => chain.block(number)!.time))
      }),
    )
  })

  test('hashes differ, and nonces count what a sender has sent', () => {
    const all = upTo(600)
    expect(new Set(all.map(({ hash }) => hash)).size).toBe(all.length)
    expect(all.every(({ hash }) => /^0x[0-9a-f]{64}$/.test(hash))).toBe(true)
    const sent = new Map<string, number>()
    for (const { from, nonce } of all) {
      expect(nonce).toBe(sent.get(from) ?? 0)
      sent.set(from, nonce + 1)
    }
    for (const wallet of Object.values(wallets)) expect(sent.get(wallet)).toBeGreaterThan(3)
  })
})

describe('transfers of tokens', () => {
  const last = () => chain.transactionsBefore(BLOCKS) - 1
  const of = (address: string, since = 0, until = last()) => [...chain.transfers(address, since, until)]

  test('in a range are those of the range', () => {
    const all = of(wallets.treasury)
    fc.assert(
      fc.property(fc.nat(last()), fc.nat(last()), (since, until) => {
        const expected = all.filter(({ transaction: { number } }) => number >= since && number <= until)
        expect(of(wallets.treasury, since, until)).toEqual(expected)
      }),
      { numRuns: 20 },
    )
  })
})

describe('balances', () => {
  /** What the transactions of a block do to an address. */
  const changeIn = (number: number, address: string) =>
    sum(
      chain.transactions(number).map((one) => {
        const moved = one.isDone ? one.value : 0n
        return (one.to === address ? moved : 0n) - (one.from === address ? moved + fee(one) : 0n)
      }),
    )
  const partiesOf = (number: number) =>
    new Set([...Object.values(wallets), ...chain.transactions(number).flatMap(({ from, to }) => [from, to])])

  test('change from block to block by what its transactions do, and none is negative', () => {
    fc.assert(
      fc.property(fc.nat(BLOCKS - 2), (number) => {
        for (const address of partiesOf(number + 1)) {
          const [before, after] = [chain.balance(address, number), chain.balance(address, number + 1)]
          expect(after - before).toBe(changeIn(number + 1, address))
          expect(after).toBeGreaterThanOrEqual(0n)
        }
      }),
    )
  })

  test('of an unused address are 0; what comes from elsewhere is added', () => {
    const unknown = `0x${'12'.repeat(20)}`
    expect(chain.balance(unknown, 100)).toBe(0n)
    const other = growing({ outside: 5n })
    other.until(BLOCKS)
    expect(other.chain.balance(unknown, 100)).toBe(5n)
    expect(other.chain.balance(wallets.payroll, 100)).toBe(chain.balance(wallets.payroll, 100) + 5n)
  })
})

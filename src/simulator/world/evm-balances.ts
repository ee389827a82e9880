// What an address has of an EVM chain's own token. Nothing is kept: a stranger takes part in two transactions at most,
// and a wallet gets back in one round what it spent in the round before.

import { type Accounts, endowments, STRANGER_HAS, type Wallet } from './evm-accounts.ts'
import type { Agenda } from './evm-agenda.ts'
import { type Orders, ordersWith } from './evm-drafts.ts'
import type { EvmTransaction, EvmTransactions } from './evm-transactions.ts'

/** In the smallest unit, before a transaction of this number. */
export type BalanceBefore = (address: string, transaction: number) => bigint

export function createBalances(
  { wallets, numberOf }: Accounts,
  agenda: Agenda,
  transactions: EvmTransactions,
  orders: Orders,
): BalanceBefore {
  const names = new Map(Object.entries(wallets).map(([name, address]) => [address, name as Wallet]))

  function ofWallet(wallet: Wallet, end: number): bigint {
    const last = agenda.from(end) - 1
    const round = Math.floor(last / agenda.length)
    let balance = endowments[wallet] - transactions.spent(wallet, round - 1)
    for (let step = Math.max(0, round * agenda.length); step <= last; step += 1) {
      const { from, to } = agenda.step(step)
      if (from !== wallet && to !== wallet) continue
      balance += change(transactions.at(agenda.transactionOf(step)), wallets[wallet])
    }
    // Later rounds do not even out what was ordered.
    for (const number of ordersWith(orders, wallets[wallet], end)) {
      balance += change(transactions.at(number), wallets[wallet])
    }
    return balance
  }

  function ofStranger(address: string, number: number, end: number): bigint {
    let balance = STRANGER_HAS
    for (const one of [number - 1, number]) {
      if (one >= 0 && one < end) balance += change(transactions.at(one), address)
    }
    return balance
  }

  return (address, end) => {
    const wallet = names.get(address)
    if (wallet) return ofWallet(wallet, end)
    const number = numberOf(address)
    return number === undefined ? 0n : ofStranger(address, number, end)
  }
}

/** What a transaction does to the balance of an address. */
function change({ from, to, value, isDone, gasUsed, gasPrice }: EvmTransaction, address: string): bigint {
  const moved = isDone ? value : 0n
  return (to === address ? moved : 0n) - (from === address ? moved + BigInt(gasUsed) * gasPrice : 0n)
}

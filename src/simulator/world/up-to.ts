// Chains, the ledger and rewards as far as they were known at a time gone by.

import type { Chain } from './blocks.ts'
import type { Ledger } from './ledger.ts'
import type { Staking } from './staking.ts'
import type { Transaction, Utxo } from './transactions.ts'

/** What all kinds of chains have of their blocks. */
export type Blocks = Pick<Chain, 'head' | 'time' | 'heightAt'>

/** The first block of a chain that has one is always known. */
export function blocksUpTo(blocks: Blocks, reached: () => number): Blocks {
  const head = () => Math.max(Math.min(0, blocks.head()), blocks.heightAt(reached()))
  return {
    head,
    time: (height) => (height <= head() ? blocks.time(height) : undefined),
    heightAt: (time) => Math.min(head(), blocks.heightAt(time)),
  }
}

export function chainUpTo(chain: Chain, reached: () => number): Chain {
  const blocks = blocksUpTo(chain, reached)
  return {
    ...chain,
    ...blocks,
    block: (height) => (height <= blocks.head() ? chain.block(height) : undefined),
    find(hash) {
      const block = chain.find(hash)
      return block && block.height <= blocks.head() ? block : undefined
    },
  }
}

/** Without what came later, and what was spent later is unspent. */
export function ledgerUpTo(ledger: Ledger, reached: () => number): Ledger {
  const isKnown = ({ time }: { time: number }) => time <= reached()

  function utxo(one: Utxo): Utxo {
    if (!one.spent || isKnown(one.spent)) return one
    const { spent: _, ...unspent } = one
    return unspent
  }

  const transaction = (one: Transaction): Transaction => ({
    ...one,
    consumed: one.consumed.map(utxo),
    emitted: one.emitted.map(utxo),
  })
  const utxosOf = (address: string) => ledger.utxosOf(address).filter(isKnown).map(utxo)

  return {
    ...ledger,
    *transactions(chain, order, last) {
      for (const one of ledger.transactions(chain, order, last)) if (isKnown(one)) yield transaction(one)
    },
    find(id) {
      const found = ledger.find(id)
      return found && isKnown(found) ? transaction(found) : undefined
    },
    transactionsOf: (name) => ledger.transactionsOf(name).filter(isKnown).map(transaction),
    utxosOf,
    unspentOf: (address) => utxosOf(address).filter(({ spent }) => !spent),
  }
}

export function stakingUpTo(staking: Staking, reached: () => number): Staking {
  const isKnown = ({ utxo }: { utxo: Utxo }) => utxo.time <= reached()
  return {
    ...staking,
    paidTo: (owner) => staking.paidTo(owner).filter(isKnown),
    paidFor: (nodeId) => staking.paidFor(nodeId).filter(isKnown),
  }
}

// What a transaction moves, by asset: UTXOs, and on the C-Chain what addresses of the EVM pay or get.

import { type Asset, AVAX } from '../world/fixed-ids.ts'
import type { Transaction } from '../world/transactions.ts'
import { amountOf } from './utxo-record.ts'

interface Share {
  asset: Asset
  amount: bigint
}

/** What goes in. An export of the C-Chain is paid by addresses of the EVM. */
export function inputsOf({ consumed, facts, chain }: Transaction): readonly Share[] {
  return [...consumed, ...(chain === 'C' && facts.sourceChain === 'C' ? evmShares(facts.evm) : [])]
}

/** What comes out. An import to the C-Chain is for addresses of the EVM. */
export function outputsOf({ emitted, facts, chain }: Transaction): readonly Share[] {
  return [...emitted, ...(chain === 'C' && facts.destinationChain === 'C' ? evmShares(facts.evm) : [])]
}

function evmShares(evm: Transaction['facts']['evm'] = []): Share[] {
  return evm.map(({ amount }) => ({ asset: AVAX, amount }))
}

/** What goes in and does not come out, less what L1 validators have of it, more than what they had and gave back. */
export function burnedIn(transaction: Transaction): readonly Share[] {
  const { l1Balance = 0n, l1Validators = [] } = transaction.facts
  const given = l1Validators.reduce((sum, { balanceChange = 0 }) => sum + BigInt(Math.min(0, balanceChange)), l1Balance)
  return [
    ...inputsOf(transaction),
    ...outputsOf(transaction).map(({ asset, amount }) => ({ asset, amount: -amount })),
    { asset: AVAX, amount: -given },
  ]
}

/** One for each asset of which there is any. */
export function amountsOf(shares: readonly Share[]) {
  const sums = new Map<string, Share>()
  for (const { asset, amount } of shares) {
    sums.set(asset.id, { asset, amount: (sums.get(asset.id)?.amount ?? 0n) + amount })
  }
  return [...sums.values()].filter(({ amount }) => amount > 0n).map(({ asset, amount }) => amountOf(asset, amount))
}

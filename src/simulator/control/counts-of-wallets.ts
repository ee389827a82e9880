// What has happened to a wallet on the primary network since a moment (Unix seconds), counted from the world itself.
// Amounts are in the smallest unit.

import { AVAX } from '../world/fixed-ids.ts'
import type { Transaction, Utxo } from '../world/transactions.ts'
import type { World } from '../world/world.ts'

const DAY = 86_400

/** By owner and type; the value in US dollars is that of rewards whose stakes ended a day ago or earlier. */
export function rewards({ validators, staking, now, price }: World, since: number) {
  const owners: Record<string, Record<string, { count: number; amount: string; value: number }>> = {}
  for (const nodeId of validators.all.keys()) {
    for (const { owner, type, amount: paid, stake, utxo } of staking.paidFor(nodeId)) {
      if (utxo.time <= since) continue
      const types = (owners[owner] ??= {})
      const { count, amount, value } = types[type] ?? { count: 0, amount: '0', value: 0 }
      const worth = stake.end > now() - DAY ? 0 : (Number(paid) / 1e9) * price(AVAX.symbol, 'usd', stake.end)!
      types[type] = { count: count + 1, amount: String(BigInt(amount) + paid), value: value + worth }
    }
  }
  return owners
}

/** By address and chain, of traders and of owners of stakes. */
export function ofWallets({ ledger, trade, validators }: World, since: number) {
  const stakes = [...validators.all.values()].flatMap((one) => [one, ...one.delegations])
  const addresses = new Set([
    ...trade.traders.flatMap(({ address, evm }) => [address, evm]),
    ...stakes.map(({ owner }) => owner),
  ])
  const found = [...addresses].map((address) => {
    const recent = ledger.transactionsOf(address).filter(({ time, position }) => position >= 0 && time > since)
    const chains = [...Map.groupBy(recent, ({ chain }) => chain)]
    return [address, Object.fromEntries(chains.map(([chain, own]) => [chain, sumsOf(own, address)]))] as const
  })
  return Object.fromEntries(found.filter(([, chains]) => Object.keys(chains).length > 0))
}

function sumsOf(transactions: readonly Transaction[], address: string) {
  const types: Record<string, number> = {}
  let burned = 0n
  for (const one of transactions) {
    types[one.type] = (types[one.type] ?? 0) + 1
    if (payerOf(one) === address) burned += feeOf(one)
  }
  return { types, burned: String(burned) }
}

/** The owner of all inputs: an address of the EVM where they leave the C-Chain. A reward has none. */
function payerOf({ chain, consumed: [first], facts }: Transaction): string | undefined {
  return chain === 'C' && facts.sourceChain === 'C' ? facts.evm?.[0]?.address : first?.owner
}

/** What goes in and does not come out; more comes out than goes in where a stake is renewed with its reward. */
function feeOf({ chain, consumed, emitted, facts }: Transaction): bigint {
  const evm = chain === 'C' ? (facts.evm ?? []).reduce((sum, { amount }) => sum + amount, 0n) : 0n
  const rest = sumOf(consumed) - sumOf(emitted) + (facts.sourceChain === 'C' ? evm : -evm)
  return rest > 0n ? rest : 0n
}

function sumOf(utxos: readonly Utxo[]): bigint {
  return utxos.reduce((sum, { asset, amount }) => (asset === AVAX ? sum + amount : sum), 0n)
}

/** By the ids of the validations. */
export function topUps({ l1s, ledger }: World, since: number) {
  const ids = l1s.all.flatMap(({ validators }) => validators.map(({ validationId }) => validationId))
  const found = ids.map((id) => {
    const own = ledger
      .transactionsOf(id)
      .filter(({ type, time }) => type === 'IncreaseL1ValidatorBalanceTx' && time > since)
    const amount = own.reduce((sum, { facts }) => sum + (facts.l1Balance ?? 0n), 0n)
    return [id, { count: own.length, amount: String(amount) }] as const
  })
  return Object.fromEntries(found)
}

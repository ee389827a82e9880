// Both lists of UTXOs: of some addresses, on one chain, in one order.

import type { z } from 'zod'
import { plainAddress } from '../../lib/primary-network.ts'
import type { listUtxos } from '../../operations/data/utxos.ts'
import { listed } from '../../operations/data/parameters.ts'
import { inOrder } from '../services/paging.ts'
import type { Place } from '../handler.ts'
import type { Utxo } from '../world/transactions.ts'
import { chainInfoOf } from './chain-info.ts'
import { chainOf } from './primary-network-block.ts'
import { utxoRecord } from './utxo-record.ts'

/** As they are compared: a wallet may be given in the forms of several chains. */
export function walletsOf(addresses: string): string[] {
  return [...new Set(listed(addresses).map((one) => plainAddress(one)))]
}

export function utxosOf({ world, paging, dialect }: Place, params: z.output<typeof listUtxos.params>) {
  const { network, blockchainId, addresses = '', assetId, minUtxoAmount, includeSpent = false } = params
  const { sortBy = 'timestamp', sortOrder = 'desc', pageToken, pageSize } = params
  const chain = chainOf(network, blockchainId)
  const wallets = walletsOf(addresses)
  const found = wallets
    .flatMap((wallet) => world.ledger.utxosOf(wallet))
    .filter(
      ({ destination, asset, amount, spent }) =>
        destination === chain &&
        (includeSpent || !spent) &&
        (assetId === undefined || asset.id === assetId) &&
        amount >= minUtxoAmount,
    )
  const filters = [assetId, minUtxoAmount, includeSpent, sortBy, sortOrder]
  const { items, ...next } = paging.page<Utxo>({
    list: ['utxos', chain, ...filters, ...wallets.toSorted()].join(' '),
    pageToken,
    pageSize,
    now: world.now(),
    after: inOrder(found, sortBy === 'amount' ? byAmount : byTime, sortOrder),
  })
  return {
    ...next,
    utxos: items.map((utxo) => utxoRecord(utxo, chain, dialect)),
    chainInfo: chainInfoOf(chain),
  }
}

const byId = (a: Utxo, b: Utxo) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
const byTime = (a: Utxo, b: Utxo) => a.time - b.time || byId(a, b)
const byAmount = (a: Utxo, b: Utxo) => (a.amount < b.amount ? -1 : a.amount > b.amount ? 1 : byId(a, b))

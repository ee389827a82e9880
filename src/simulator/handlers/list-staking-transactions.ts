// List staking transactions: those of the stakes that run now.

import { listStakingTransactions } from '../../operations/data/primary-network-transactions.ts'
import { inOrder } from '../services/paging.ts'
import { handles } from '../handler.ts'
import type { Transaction } from '../world/transactions.ts'
import type { World } from '../world/world.ts'
import { runningRenewal } from './auto-renew.ts'
import { chainInfoOf } from './chain-info.ts'
import { chainOf } from './primary-network-block.ts'
import { transactionRecord } from './transaction-record.ts'
import { refuseUnknownTypes } from './transaction-types.ts'
import { walletsOf } from './utxos.ts'

export const handleListStakingTransactions = handles(listStakingTransactions, (place, params) => {
  const { network, blockchainId, addresses, txTypes, startTimestamp = 0, endTimestamp = Infinity } = params
  const { pageToken, pageSize, sortOrder = 'desc' } = params
  const { world, paging, dialect } = place
  chainOf(network, blockchainId)
  refuseUnknownTypes(txTypes, dialect)
  const wallets = addresses === undefined ? undefined : walletsOf(addresses)
  const found = running(world, wallets && new Set(wallets)).filter(
    ({ type, time }) => (txTypes?.includes(type) ?? true) && time >= startTimestamp && time <= endTimestamp,
  )
  const filters = [txTypes?.toSorted(), startTimestamp, endTimestamp, sortOrder]
  const { items, ...next } = paging.page<Transaction>({
    list: ['staking', ...filters, ...(wallets?.toSorted() ?? [])].join(' '),
    pageToken,
    pageSize,
    now: world.now(),
    after: inOrder(found, compare, sortOrder),
  })
  return {
    ...next,
    transactions: items.map((transaction) => ({
      ...transactionRecord(transaction, world, dialect),
      ...(dialect === 'live' && { autoRenew: runningRenewal(transaction, world) }),
    })),
    chainInfo: chainInfoOf('P'),
  }
})

/** A stake whose transaction is not in a block yet is left out. */
function running({ validators, ledger }: World, wallets: ReadonlySet<string> | undefined): Transaction[] {
  return [...validators.all.values()]
    .flatMap((validator) => [validator, ...validator.delegations])
    .filter(({ owner }) => wallets?.has(owner) ?? true)
    .flatMap(({ txId }) => ledger.find(txId) ?? [])
}

const compare = (a: Transaction, b: Transaction) => a.time - b.time || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

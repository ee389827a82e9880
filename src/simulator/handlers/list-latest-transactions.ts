// List latest transactions: of a chain, of wallets or of an L1 validator. A page ends early where UTXOs are many.

import type { z } from 'zod'
import type { PrimaryChain } from '../../lib/primary-network.ts'
import { listLatestTransactions } from '../../operations/data/primary-network-transactions.ts'
import { inOrder } from '../services/paging.ts'
import { handles } from '../handler.ts'
import type { Ledger } from '../world/ledger.ts'
import { inChain, type Transaction } from '../world/transactions.ts'
import { chainInfoOf } from './chain-info.ts'
import { liveTransactionRecord } from './live-transaction-record.ts'
import { chainOf } from './primary-network-block.ts'
import { transactionRecord } from './transaction-record.ts'
import { refuseUnknownTypes } from './transaction-types.ts'
import { walletsOf } from './utxos.ts'

/** A page that has this many UTXOs takes no more transactions. */
const UTXOS = 64

type Params = z.output<typeof listLatestTransactions.params>

export const handleListLatestTransactions = handles(
  listLatestTransactions,
  ({ world, paging, dialect }, { pageToken, pageSize, ...asked }) => {
    const chain = chainOf(asked.network, asked.blockchainId)
    refuseUnknownTypes(asked.txTypes, dialect)
    const { sortOrder = 'desc' } = asked
    // The live service knows those of the X-Chain from before it had blocks.
    const isOldKnown = dialect === 'live' && chain === 'X'
    const found = foundFor(asked, chain, world.ledger, isOldKnown)
    const { items, ...next } = paging.page<Transaction>({
      list: `transactions ${chain} ${sortOrder} ${filtersOf(asked)}`,
      pageToken,
      pageSize,
      now: world.now(),
      after: found ? inOrder(found, inChain, sortOrder) : (last) => world.ledger.transactions(chain, sortOrder, last),
      isEnough: (page) =>
        page.reduce((sum, { consumed, emitted }) => sum + consumed.length + emitted.length, 0) >= UTXOS,
    })
    const record = dialect === 'live' && chain !== 'P' ? liveTransactionRecord : transactionRecord
    return {
      ...next,
      transactions: items.map((one) => record(one, world, dialect)),
      chainInfo: chainInfoOf(chain),
    }
  },
)

function filtersOf({ addresses, l1ValidationId, txTypes = [], startTimestamp, endTimestamp }: Omit<Params, Paged>) {
  const wallets = addresses === undefined ? [] : walletsOf(addresses).toSorted()
  return JSON.stringify([wallets, l1ValidationId, txTypes.toSorted(), startTimestamp, endTimestamp])
}

type Paged = 'pageToken' | 'pageSize'

/** The transactions of the given addresses, in no order; undefined without addresses, which means all of the chain. */
function foundFor(
  asked: Omit<Params, Paged>,
  chain: PrimaryChain,
  ledger: Ledger,
  isOldKnown: boolean,
): Transaction[] | undefined {
  const { addresses, l1ValidationId, txTypes, startTimestamp = 0, endTimestamp = Infinity } = asked
  if (addresses === undefined && l1ValidationId === undefined) return undefined
  const ofWallets = addresses === undefined ? undefined : listed(walletsOf(addresses), ledger, isOldKnown)
  const ofValidator = l1ValidationId === undefined ? undefined : ledger.transactionsOf(l1ValidationId)
  const isOfValidator = new Set(ofValidator?.map(({ id }) => id))
  return (ofWallets ?? ofValidator ?? []).filter(
    (one) =>
      one.chain === chain &&
      (!ofValidator || isOfValidator.has(one.id)) &&
      (!txTypes || txTypes.includes(one.type)) &&
      one.time >= startTimestamp &&
      one.time <= endTimestamp,
  )
}

/** Each once; what was there before the first block has a place in the list of a wallet only where it is known. */
function listed(wallets: readonly string[], ledger: Ledger, isOldKnown: boolean): Transaction[] {
  const found = wallets.flatMap((wallet) => ledger.transactionsOf(wallet))
  const all = found.filter(({ position }) => position >= 0 || isOldKnown)
  return [...new Map(all.map((one) => [one.id, one])).values()]
}

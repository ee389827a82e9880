// List historical rewards: what was paid for stakes that are over, by the addresses it went to or by the node.

import { listHistoricalRewards } from '../../operations/data/rewards.ts'
import { inOrder } from '../services/paging.ts'
import { handles, type Place } from '../handler.ts'
import { AVAX } from '../world/fixed-ids.ts'
import type { Paid } from '../world/staking.ts'
import { askedFor, stakeOf } from './rewards.ts'
import { amountOf } from './utxo-record.ts'

/** The document does not say it, the live service does: a reward has a price when it is a day old. */
const PRICED = 24 * 3_600

export const handleListHistoricalRewards = handles(listHistoricalRewards, (place, params) => {
  const { pageToken, pageSize, sortOrder = 'desc', currency } = params
  const { world, paging } = place
  const { wallets, nodes, isAsked, name } = askedFor(params)
  const found = wallets
    ? [...wallets].flatMap((wallet) => world.staking.paidTo(wallet))
    : [...nodes!].flatMap((nodeId) => world.staking.paidFor(nodeId))
  const { items, ...next } = paging.page<Paid>({
    list: ['historical rewards', sortOrder, name].join(' '),
    pageToken,
    pageSize,
    now: world.now(),
    after: inOrder(found.filter(isAsked), compare, sortOrder),
  })
  return { ...next, historicalRewards: items.map((one) => record(one, place, currency)) }
})

/** By the end of the stake: those that end later are paid later, or by the same block. */
function compare({ stake: a, utxo: one }: Paid, { stake: b, utxo: other }: Paid): number {
  return a.end - b.end || (one.txId < other.txId ? -1 : one.txId > other.txId ? 1 : one.index - other.index)
}

function record(reward: Paid, place: Place, currency: string) {
  const { world, dialect } = place
  const { utxo, stake, amount } = reward
  const price = world.price(AVAX.symbol, currency, stake.end)!
  const isPriced = stake.end <= world.now() - PRICED
  return {
    ...stakeOf(reward, place),
    utxoId: utxo.id,
    outputIndex: utxo.index,
    rewardTxHash: utxo.txId,
    reward: {
      ...amountOf(AVAX, amount),
      ...(isPriced
        ? { historicalPrice: { currencyCode: currency, value: dialect === 'live' ? price : String(price) } }
        : {}),
    },
  }
}

// What both lists of rewards share: whose they are, and the stake that they are for.

import type { z } from 'zod'
import type { listPendingRewards } from '../../operations/data/rewards.ts'
import { listed } from '../../operations/data/parameters.ts'
import type { Place } from '../handler.ts'
import type { Reward } from '../world/stakes.ts'
import { stakingTypeOf } from './auto-renew.ts'
import { mustBeFuji } from './must-be-fuji.ts'
import { walletsOf } from './utxos.ts'

type Asked = Pick<z.output<typeof listPendingRewards.params>, 'network' | 'addresses' | 'nodeIds'>

/** Those of the addresses, of the nodes, or of the addresses with the nodes. */
export function askedFor({ network, addresses, nodeIds }: Asked) {
  mustBeFuji(network)
  const wallets = addresses === undefined ? undefined : new Set(walletsOf(addresses))
  const nodes = nodeIds === undefined ? undefined : new Set(listed(nodeIds))
  return {
    wallets,
    nodes,
    isAsked: ({ owner, nodeId }: Reward) => (wallets?.has(owner) ?? true) && (nodes?.has(nodeId) ?? true),
    /** The same for the same question, however it is put. */
    name: [wallets, nodes].map((names) => [...(names ?? [])].toSorted().join(',')).join(' '),
  }
}

export function stakeOf({ owner, nodeId, stake, type }: Reward, { world, dialect }: Place) {
  return {
    addresses: [owner],
    txHash: stake.txId,
    amountStaked: String(stake.weight),
    nodeId,
    startTimestamp: stake.start,
    endTimestamp: stake.end,
    ...(dialect === 'live' && { stakingType: stakingTypeOf(stake.txId, world) }),
    rewardType: type,
  }
}

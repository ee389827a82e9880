// Get balances: what wallets have on a primary network chain, by what they can do with it.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { chainInfo, count, optional, orNone, unsigned } from '../fields.ts'
import { assetAmount } from './asset.ts'
import { areOfNetwork, atTimestamp, blockchainId, network, OTHER_NETWORK, someAddresses } from './parameters.ts'

const balance = assetAmount.extend({ utxoCount: optional(count) })
const shared = balance.extend({
  sharedWithChainId: optional(z.string()),
  status: optional(z.string()).describe('an open set; live services have it on the P-Chain alone'),
})

const balances = z.object({
  unlockedUnstaked: orNone(z.array(balance)),
  unlockedStaked: orNone(z.array(balance)),
  lockedPlatform: orNone(z.array(balance)),
  lockedStakeable: orNone(z.array(balance)),
  lockedStaked: orNone(z.array(balance)),
  pendingStaked: orNone(z.array(balance)),
  atomicMemoryUnlocked: orNone(z.array(shared)).describe('on its way between chains'),
  atomicMemoryLocked: orNone(z.array(shared)).describe('on its way between chains'),
  restakedRewards: optional(unsigned).describe(
    'rewards that auto-renewed validators have staked again, in nAVAX; in no list; absent for a blockTimestamp',
  ),
  unlocked: orNone(z.array(balance)).describe('X-Chain on live services'),
  locked: orNone(z.array(balance)).describe('X-Chain on live services'),
})

/** For the C-Chain only its atomic memory; operation 13 has the rest. On live services each chain has its own members. */
export const getBalances = defineOperation({
  name: 'get-balances',
  source: 'document 1, operation 6',
  via: { get: '/v1/networks/{network}/blockchains/{blockchainId}/balances' },
  params: z
    .object({ network, blockchainId, blockTimestamp: atTimestamp, addresses: someAddresses })
    .refine(areOfNetwork, OTHER_NETWORK),
  answer: z.object({ balances, chainInfo }),
  cost: 100,
})

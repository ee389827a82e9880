// Get balances: what wallets have on a primary network chain, by what they can do with it.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { chainInfo, count, optional, telling } from '../fields.ts'
import { assetAmount } from './asset.ts'
import { areOfNetwork, atTimestamp, blockchainId, network, OTHER_NETWORK, someAddresses } from './parameters.ts'

const balance = assetAmount.extend({ utxoCount: optional(count) })
const shared = balance.extend({
  sharedWithChainId: optional(z.string()),
  status: optional(z.string()).describe('an open set; live services have it on the P-Chain alone'),
})

const balances = z.object({
  unlockedUnstaked: telling(z.array(balance)),
  unlockedStaked: telling(z.array(balance)),
  lockedPlatform: telling(z.array(balance)),
  lockedStakeable: telling(z.array(balance)),
  lockedStaked: telling(z.array(balance)),
  pendingStaked: telling(z.array(balance)),
  atomicMemoryUnlocked: telling(z.array(shared)).describe('on its way between chains'),
  atomicMemoryLocked: telling(z.array(shared)).describe('on its way between chains'),
  unlocked: telling(z.array(balance)).describe('X-Chain on live services'),
  locked: telling(z.array(balance)).describe('X-Chain on live services'),
})

/** Of the C-Chain only what is in atomic memory; operation 13 has the rest. On live services each chain has members of its own. */
export const getBalances = defineOperation({
  name: 'get-balances',
  source: 'document 1, operation 6',
  service: 'data',
  effect: 'read',
  via: { get: '/v1/networks/{network}/blockchains/{blockchainId}/balances' },
  params: z
    .object({ network, blockchainId, blockTimestamp: atTimestamp, addresses: someAddresses })
    .refine(areOfNetwork, { path: ['addresses'], message: OTHER_NETWORK }),
  answer: z.object({ balances, chainInfo }),
  cost: 100,
})

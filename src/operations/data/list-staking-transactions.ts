// List staking transactions: the active stakes of wallets.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { chainInfo, nextPageToken } from '../fields.ts'
import { areOfNetwork, network, OTHER_NETWORK, pChainId, someAddresses } from './parameters.ts'
import { primaryNetworkTransaction, transactionFilters } from './primary-network-transaction.ts'

/** Only the P-Chain has stakes. */
export const listStakingTransactions = defineOperation({
  name: 'list-staking-transactions',
  source: 'document 1, operation 5',
  via: { get: '/v1/networks/{network}/blockchains/{blockchainId}/transactions:listStaking' },
  params: z
    .object({ network, blockchainId: pChainId, addresses: someAddresses, ...transactionFilters })
    .refine(areOfNetwork, OTHER_NETWORK),
  answer: z.object({ nextPageToken, transactions: z.array(primaryNetworkTransaction), chainInfo }),
  items: 'transactions',
  cost: 100,
  integers: 'exact',
})

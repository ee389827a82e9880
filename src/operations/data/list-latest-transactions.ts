// List latest transactions: those of a primary network chain, of wallets or of an L1 validator.

import { z } from 'zod'
import { primaryChains } from '../../lib/primary-network.ts'
import { defineOperation } from '../define.ts'
import { chainInfo, nextPageToken } from '../fields.ts'
import { addressesOfAnyChain, areOfNetwork, blockchainId, listed, network, OTHER_NETWORK } from './parameters.ts'
import { primaryNetworkTransaction, transactionFilters } from './primary-network-transaction.ts'

const params = z.object({
  network,
  blockchainId,
  addresses: addressesOfAnyChain,
  l1ValidationId: z.string().min(1).optional().describe('only transactions of this L1 validator; P-Chain alone'),
  ...transactionFilters,
})
type Given = z.output<typeof params>

/** With many UTXOs a page has fewer transactions than asked for, and more pages follow. */
export const listLatestTransactions = defineOperation({
  name: 'list-latest-transactions',
  source: 'document 1, operation 4',
  via: { get: '/v1/networks/{network}/blockchains/{blockchainId}/transactions' },
  params: params
    .refine(areFiltersAllowed, {
      message: 'txTypes, startTimestamp and endTimestamp need addresses, or on the P-Chain l1ValidationId',
    })
    .refine(isValidatorOnP, { path: ['l1ValidationId'], message: 'l1ValidationId applies to the P-Chain alone' })
    .refine(isEvmOnC, { path: ['addresses'], message: '0x... addresses are for the C-Chain alone' })
    .refine(areOfNetwork, OTHER_NETWORK),
  answer: z.object({ nextPageToken, transactions: z.array(primaryNetworkTransaction), chainInfo }),
  items: 'transactions',
  cost: 100,
  integers: 'exact',
})

function areFiltersAllowed({ addresses, l1ValidationId, txTypes, startTimestamp, endTimestamp }: Given): boolean {
  const isFiltered = (txTypes ?? startTimestamp ?? endTimestamp) !== undefined
  return !isFiltered || (addresses ?? l1ValidationId) !== undefined
}

function isValidatorOnP({ blockchainId, l1ValidationId }: Given): boolean {
  return l1ValidationId === undefined || primaryChains[blockchainId] === 'P'
}

function isEvmOnC({ blockchainId, addresses }: Given): boolean {
  if (addresses === undefined || primaryChains[blockchainId] === 'C') return true
  return !listed(addresses).some((one) => one.startsWith('0x'))
}

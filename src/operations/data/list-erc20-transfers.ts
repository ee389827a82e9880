// List ERC-20 transfers: the tokens that came to an address and went from it.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { count, integer, nextPageToken, optional, pageToken, orNone, timestamp, unsigned } from '../fields.ts'
import { addressInfo, erc20Token } from './evm.ts'
import { evmAddress, evmChainId, pageSize } from './parameters.ts'

const transfer = z.object({
  blockNumber: unsigned,
  blockTimestamp: orNone(timestamp),
  blockTimestampMilliseconds: optional(integer).describe('live services only'),
  blockHash: optional(z.string()),
  txHash: z.string().min(1).describe('one transaction may make several transfers'),
  from: orNone(addressInfo),
  to: orNone(addressInfo),
  logIndex: count.describe('distinguishes the transfers of a transaction'),
  value: orNone(unsigned).describe('in the smallest unit of the token'),
  erc20Token: orNone(erc20Token),
})

/** Any issuer can choose any name for a token: only its address identifies it. */
export const listErc20Transfers = defineOperation({
  name: 'list-erc20-transfers',
  source: 'document 1, operation 8',
  via: { get: '/v1/chains/{chainId}/addresses/{address}/transactions:listErc20' },
  params: z.object({
    chainId: evmChainId,
    address: evmAddress,
    startBlock: unsigned.optional().describe('from this block on; default: the first one'),
    endBlock: unsigned.optional().describe('before this block; default: up to the newest one'),
    pageToken,
    pageSize,
  }),
  answer: z.object({ nextPageToken, transactions: z.array(transfer) }),
  items: 'transactions',
  cost: 20,
})

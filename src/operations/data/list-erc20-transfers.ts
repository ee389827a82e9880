// List ERC-20 transfers: the tokens that came to an address and went from it.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { count, integer, nextPageToken, optional, pageToken, telling, timestamp, unsigned } from '../fields.ts'
import { addressInfo, erc20Token } from './evm.ts'
import { evmAddress, evmChainId, pageSize } from './parameters.ts'

const transfer = z.object({
  blockNumber: unsigned,
  blockTimestamp: telling(timestamp),
  blockTimestampMilliseconds: optional(integer).describe('live services only'),
  blockHash: optional(z.string()),
  txHash: z.string().min(1).describe('one transaction may make several transfers'),
  from: telling(addressInfo),
  to: telling(addressInfo),
  logIndex: count.describe('tells the transfers of a transaction apart'),
  value: telling(unsigned).describe('in the smallest unit of the token'),
  erc20Token: telling(erc20Token),
})

/** Anybody can issue a token with any name: only its address tells which one it is. */
export const listErc20Transfers = defineOperation({
  name: 'list-erc20-transfers',
  source: 'document 1, operation 8',
  service: 'data',
  effect: 'read',
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

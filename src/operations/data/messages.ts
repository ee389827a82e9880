// Messages between chains.

import { z } from 'zod'
import { nextPageToken, optional, orNone, pageToken, timestamp, unsigned } from '../fields.ts'
import { erc20Token } from './evm.ts'
import { defineOperation } from '../define.ts'
import { base58, evmAddress, network, pageSize } from './parameters.ts'

/** Of one of the two chains. */
const transaction = z.object({
  txHash: optional(z.string()),
  timestamp: orNone(timestamp),
  gasSpent: optional(unsigned),
})

/**
 * Document 1, IcmMessage. Live services have three states, which decide the transactions that a message has: the source
 * when it is pending, both when it is delivered, the destination when it is `delivered_source_not_indexed`.
 */
const icmMessage = z.object({
  messageId: z.string().min(1),
  icmContractAddress: optional(z.string()),
  sourceBlockchainId: orNone(z.string()),
  destinationBlockchainId: orNone(z.string()),
  sourceEvmChainId: orNone(z.string()),
  destinationEvmChainId: orNone(z.string()),
  messageNonce: optional(unsigned),
  from: orNone(z.string()),
  to: orNone(z.string()),
  data: optional(z.string()),
  messageExecuted: optional(z.boolean()),
  receipts: optional(
    z.array(z.object({ receivedMessageNonce: optional(unsigned), relayerRewardAddress: optional(z.string()) })),
  ).describe('for messages that went the other way'),
  receiptDelivered: orNone(z.boolean()),
  rewardDetails: optional(erc20Token.extend({ value: optional(unsigned).describe('in the smallest unit') })).describe(
    'what the relayer gets, and in which token',
  ),
  sourceTransaction: orNone(transaction),
  destinationTransaction: orNone(
    transaction.extend({ rewardRedeemer: optional(z.string()), delivererAddress: optional(z.string()) }),
  ).describe('live services only'),
  status: orNone(z.string()).describe(
    'pending, and on live services delivered, delivered_source_not_indexed: an open set',
  ),
})

const chain = z
  .string()
  .refine((id) => base58.test(id) || /^\d+$/.test(id), {
    message: 'expected a blockchain id (base58) or an EVM chain id',
  })
  .optional()

/** Messages between chains, newest first. */
export const listIcmMessages = defineOperation({
  name: 'list-icm-messages',
  source: 'document 1, operation 18',
  via: { get: '/v1/icm/messages' },
  params: z.object({
    pageToken,
    pageSize,
    sourceBlockchainId: chain.describe('only from this chain: blockchain id or EVM chain id'),
    destinationBlockchainId: chain.describe('only to this chain: blockchain id or EVM chain id'),
    blockchainId: z
      .string()
      .regex(base58, 'expected a blockchain id (base58)')
      .optional()
      .describe('only from or to this chain: blockchain id'),
    to: evmAddress.optional().describe('only to this address, 0x...'),
    from: evmAddress.optional().describe('only from this address, 0x...'),
    network: network.optional().describe('only of this network; fuji and testnet are the same'),
  }),
  answer: z.object({ nextPageToken, messages: z.array(icmMessage) }),
  items: 'messages',
  cost: 20,
})

/** Messages between chains that an address sent or gets, newest first. */
export const listIcmMessagesByAddress = defineOperation({
  name: 'list-icm-messages-by-address',
  source: 'document 1, operation 17',
  via: { get: '/v1/icm/addresses/{address}/messages' },
  params: z.object({
    address: evmAddress,
    pageToken,
    pageSize,
    network: network.optional().describe('only of this network; fuji and testnet are the same'),
  }),
  answer: z.object({ nextPageToken, messages: z.array(icmMessage) }),
  items: 'messages',
  cost: 20,
})

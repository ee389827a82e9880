// The message between chains, as operations 17 and 18 give it.

import { z } from 'zod'
import { optional, orNone, timestamp, unsigned } from '../fields.ts'
import { erc20Token } from './evm.ts'

const transaction = z.object({
  txHash: optional(z.string()),
  timestamp: orNone(timestamp),
  gasSpent: optional(unsigned),
})

/**
 * Document 1, IcmMessage. Live services have three states, which decide the transactions that a message has: the source
 * when it is pending, both when it is delivered, the destination when it is `delivered_source_not_indexed`.
 */
export const icmMessage = z.object({
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

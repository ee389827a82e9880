// The message between chains, as operations 17 and 18 give it.

import { z } from 'zod'
import { optional, telling, timestamp, unsigned } from '../fields.ts'
import { erc20Token } from './evm.ts'

const transaction = z.object({
  txHash: optional(z.string()),
  timestamp: telling(timestamp),
  gasSpent: optional(unsigned),
})

/**
 * Document 1, IcmMessage. Live services know three states, and which transactions stand here depends on them: a pending
 * message has its source, a delivered one both, `delivered_source_not_indexed` its destination.
 */
export const icmMessage = z.object({
  messageId: z.string().min(1),
  icmContractAddress: optional(z.string()),
  sourceBlockchainId: telling(z.string()),
  destinationBlockchainId: telling(z.string()),
  sourceEvmChainId: telling(z.string()),
  destinationEvmChainId: telling(z.string()),
  messageNonce: optional(unsigned),
  from: telling(z.string()),
  to: telling(z.string()),
  data: optional(z.string()),
  messageExecuted: optional(z.boolean()),
  receipts: optional(
    z.array(z.object({ receivedMessageNonce: optional(unsigned), relayerRewardAddress: optional(z.string()) })),
  ).describe('for messages that went the other way'),
  receiptDelivered: telling(z.boolean()),
  rewardDetails: optional(erc20Token.extend({ value: optional(unsigned).describe('in the smallest unit') })).describe(
    'what the relayer gets, and in which token',
  ),
  sourceTransaction: telling(transaction),
  destinationTransaction: telling(
    transaction.extend({ rewardRedeemer: optional(z.string()), delivererAddress: optional(z.string()) }),
  ).describe('live services only'),
  status: telling(z.string()).describe(
    'pending, and on live services delivered, delivered_source_not_indexed: an open set',
  ),
})

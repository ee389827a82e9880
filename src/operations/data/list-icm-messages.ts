// List ICM messages: messages between chains, newest first.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { nextPageToken, pageToken } from '../fields.ts'
import { icmMessage } from './icm-message.ts'
import { base58, evmAddress, network, pageSize } from './parameters.ts'

const chain = z
  .string()
  .refine((id) => base58.test(id) || /^\d+$/.test(id), {
    message: 'expected a blockchain id (base58) or an EVM chain id',
  })
  .optional()

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

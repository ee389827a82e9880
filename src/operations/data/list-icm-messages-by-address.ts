// List ICM messages by address: messages between chains that an address sent or gets, newest first.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { nextPageToken, pageToken } from '../fields.ts'
import { icmMessage } from './icm-message.ts'
import { evmAddress, network, pageSize } from './parameters.ts'

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

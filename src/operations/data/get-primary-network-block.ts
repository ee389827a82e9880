// Get primary network block: one block by height or hash.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { blockchainId, network } from './parameters.ts'
import { primaryNetworkBlock } from './primary-network-block.ts'

/** The answer is the block itself, without an envelope. */
export const getPrimaryNetworkBlock = defineOperation({
  name: 'get-primary-network-block',
  source: 'document 1, operation 15',
  via: { get: '/v1/networks/{network}/blockchains/{blockchainId}/blocks/{blockId}' },
  params: z.object({ network, blockchainId, blockId: z.string().min(1).describe('a block height or a block hash') }),
  answer: primaryNetworkBlock,
  notFound: /./,
  cost: 100,
  integers: 'exact',
})

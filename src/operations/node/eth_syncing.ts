// eth_syncing: false, or how far the asked node has come.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { quantity } from '../fields.ts'
import { EVM_PATH, EVM_SOURCE, evmChain } from './evm-path.ts'

/**
 * The C-Chain and chains made with subnet-evm always say false: a node refuses each call with HTTP 503 until their chain has
 * caught up. Other virtual machines may report progress.
 */
export const ethSyncing = defineOperation({
  name: 'eth_syncing',
  source: EVM_SOURCE,
  via: { rpc: EVM_PATH, args: [] },
  params: z.object({ chain: evmChain }),
  answer: z.union([z.literal(false), z.object({ currentBlock: quantity, highestBlock: quantity })]),
})

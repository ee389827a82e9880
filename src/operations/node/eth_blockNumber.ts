// eth_blockNumber: the height of the newest block that the asked node has accepted.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { quantity } from '../fields.ts'
import { EVM_PATH, EVM_SOURCE, evmChain } from './evm-path.ts'

export const ethBlockNumber = defineOperation({
  name: 'eth_blockNumber',
  source: EVM_SOURCE,
  via: { rpc: EVM_PATH, args: [] },
  params: z.object({ chain: evmChain }),
  answer: quantity,
})

// eth_chainId: the number of the EVM chain that the asked node serves.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { quantity } from '../fields.ts'
import { EVM_PATH, EVM_SOURCE, evmChain } from './evm-path.ts'

export const ethChainId = defineOperation({
  name: 'eth_chainId',
  source: EVM_SOURCE,
  via: { rpc: EVM_PATH, args: [] },
  params: z.object({ chain: evmChain }),
  answer: quantity,
})

// eth_baseFee: the base fee per gas of a block that would be made now, in the smallest unit. Ethereum has no such method.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { quantity } from '../fields.ts'
import { EVM_PATH, EVM_SOURCE, evmChain } from './evm-path.ts'

export const ethBaseFee = defineOperation({
  name: 'eth_baseFee',
  source: EVM_SOURCE,
  via: { rpc: EVM_PATH, args: [] },
  params: z.object({ chain: evmChain }),
  answer: quantity,
})

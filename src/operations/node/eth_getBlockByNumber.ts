// eth_getBlockByNumber: a block of an EVM chain as the asked node has it.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { flag, optional, quantity, orNone } from '../fields.ts'
import { EVM_PATH, EVM_SOURCE, evmChain } from './evm-path.ts'

const block = z
  .union([z.enum(['latest', 'finalized', 'pending', 'earliest']), z.string().regex(/^0x[\da-fA-F]{1,16}$/)])
  .default('latest')
  .describe('latest, or a height as a hexadecimal integer')

/** Every block that a node gives is final: latest, finalized and pending are the same block. */
export const ethGetBlockByNumber = defineOperation({
  name: 'eth_getBlockByNumber',
  source: EVM_SOURCE,
  via: { rpc: EVM_PATH, args: ['block', 'full'] },
  params: z.object({
    chain: evmChain,
    block,
    full: flag.default(false).describe('whole transactions instead of their hashes'),
  }),
  answer: z.object({
    number: quantity,
    hash: z.string(),
    parentHash: optional(z.string()),
    timestamp: quantity.transform(Number).describe('Unix time in seconds'),
    timestampMilliseconds: optional(quantity.transform(Number)).describe('Unix time in milliseconds'),
    gasLimit: quantity,
    gasUsed: quantity,
    baseFeePerGas: orNone(quantity).describe('in the smallest unit; absent where a chain has no such fee'),
    blockGasCost: optional(quantity),
    size: optional(quantity.transform(Number)).describe('bytes'),
  }),
  isPartial: true,
  notFound: /^cannot query unfinalized data/,
})

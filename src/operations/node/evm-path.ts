// Where a node serves the interface of a chain with an EVM: its methods take their parameters by their place.

import { z } from 'zod'
import { quantity } from '../fields.ts'

export const EVM_PATH = '/ext/bc/{chain}/rpc'

export const EVM_SOURCE = "the chain's own interface on a node, Ethereum JSON-RPC"

export const evmChain = z.string().describe('C, a blockchain id, or an alias that the node has for it')

/** A method that takes nothing but the chain and gives an integer. */
export const evmInteger = {
  source: EVM_SOURCE,
  via: { rpc: EVM_PATH, args: [] },
  params: z.object({ chain: evmChain }),
  answer: quantity,
} as const

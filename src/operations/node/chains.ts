// The methods that the X-Chain and the chains with an EVM have of their own on a node.

import { z } from 'zod'
import { flag, optional, orNone, percent, quantity, timestamp, unsigned, word } from '../fields.ts'
import { defineOperation } from '../define.ts'

/** Where a node serves the interface of a chain with an EVM: its methods take their parameters by their place. */
export const EVM_PATH = '/ext/bc/{chain}/rpc'

const EVM_SOURCE = "the chain's own interface on a node, Ethereum JSON-RPC"

const evmChain = z.string().describe('C, a blockchain id, or an alias that the node has for it')

/** A method that takes nothing but the chain and gives an integer. */
const evmInteger = {
  source: EVM_SOURCE,
  via: { rpc: EVM_PATH, args: [] },
  params: z.object({ chain: evmChain }),
  answer: quantity,
} as const

/** The height of the newest X-Chain block that the asked node has accepted. */
export const avmGetHeight = defineOperation({
  name: 'avm.getHeight',
  source: "the X-Chain's own interface on a node",
  via: { rpc: '/ext/bc/X' },
  answer: z.object({ height: unsigned }),
})

/** The base fee per gas of a block that would be made now, in the smallest unit. Ethereum has no such method. */
export const ethBaseFee = defineOperation({ name: 'eth_baseFee', ...evmInteger })

/** The height of the newest block that the asked node has accepted. */
export const ethBlockNumber = defineOperation({ name: 'eth_blockNumber', ...evmInteger })

/** The number of the EVM chain that the asked node serves. */
export const ethChainId = defineOperation({ name: 'eth_chainId', ...evmInteger })

const block = z
  .union([z.enum(['latest', 'finalized', 'pending', 'earliest']), z.string().regex(/^0x[\da-fA-F]{1,16}$/)])
  .default('latest')
  .describe('latest, or a height as a hexadecimal integer')

/**
 * A block of an EVM chain as the asked node has it. Every block that a node gives is final: latest, finalized and pending are
 * the same block.
 */
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

/**
 * False, or how far the asked node has come. The C-Chain and chains made with subnet-evm always say false: a node refuses each
 * call with HTTP 503 until their chain has caught up. Other virtual machines may report progress.
 */
export const ethSyncing = defineOperation({
  name: 'eth_syncing',
  source: EVM_SOURCE,
  via: { rpc: EVM_PATH, args: [] },
  params: z.object({ chain: evmChain }),
  answer: z.union([z.literal(false), z.object({ currentBlock: quantity, highestBlock: quantity })]),
})

const validator = z.object({
  validationID: word.min(1).describe('of one from before the conversion: the id of the transaction that added it'),
  nodeID: word.min(1),
  weight: unsigned,
  startTimestamp: optional(timestamp),
  isActive: z.boolean().describe('false without a balance: its weight still counts in the total'),
  isL1Validator: optional(z.boolean()).describe('false for one from before the conversion'),
  isConnected: z.boolean().describe('to the asked node'),
  uptimePercentage: orNone(percent).describe('as the asked node sees it, 0 to 100'),
  uptimeSeconds: optional(unsigned),
})

/**
 * The validators of an L1 as its own chain on the asked node sees them. The only source of the uptimes and connections of an
 * L1. A node that does not run the chain answers 404, one whose chain is not done bootstrapping 503, one whose chain process
 * has died 500. A validator is unknown here for up to a minute after its registration: then the whole list is refused, and the
 * list of the others is not.
 */
export const getCurrentValidatorsOfChain = defineOperation({
  name: 'validators.getCurrentValidators',
  source: "the chain's own interface on a node, validators",
  via: { rpc: '/ext/bc/{chain}/validators' },
  params: z.object({
    chain: z.string().describe('blockchain id, or an alias that the node has for it'),
    nodeIDs: z.array(z.string().min(1)).optional().describe('only these nodes; default: all'),
  }),
  answer: z.object({ validators: z.array(validator) }),
  items: 'validators',
  integers: 'exact',
  notFound: /^failed to get uptime for validation ID \w+: validationID not found/,
})

// The chains that the data service has.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { decimalPlaces, optional, timestamp, unsigned, word } from '../fields.ts'
import { network } from './parameters.ts'
import { genesisData } from './genesis.ts'

const token = z.object({ name: optional(z.string()), symbol: optional(z.string()), decimals: decimalPlaces })

const chain = z.object({
  chainId: z.string().min(1).describe('EVM chain id'),
  status: word.describe('OK, or UNAVAILABLE while the service does not reach the nodes of the chain'),
  chainName: optional(z.string()),
  description: optional(z.string()),
  platformChainId: optional(z.string()).describe('blockchain id'),
  subnetId: optional(z.string()),
  vmId: optional(z.string()),
  vmName: optional(z.string()),
  isTestnet: optional(z.boolean()),
  private: optional(z.boolean()),
  networkToken: optional(token),
  rpcUrl: optional(z.string()),
  wsUrl: optional(z.string()),
  explorerUrl: optional(z.string()),
  chainLogoUri: optional(z.string()),
  utilityAddresses: optional(z.object({ multicall: optional(z.string()) })),
  enabledFeatures: optional(z.array(z.string())),
})

/** The EVM chains that the data service has, and whether it reaches their nodes. */
export const supportedChains = defineOperation({
  name: 'supported-chains',
  source: "the data service's own interface, chains",
  via: { get: '/v1/chains' },
  params: z.object({
    network: network.optional(),
    feature: z.enum(['nftIndexing', 'webhooks', 'teleporter']).optional().describe('only chains that have it'),
  }),
  answer: z.object({ chains: z.array(chain) }),
  items: 'chains',
  isOptional: true,
})

/**
 * Any chain by its id, with the genesis of an EVM chain. A genesis can have megabytes. The price of this operation is not
 * published: we use that of the list of chains.
 */
export const getBlockchainDetails = defineOperation({
  name: 'get-blockchain-details',
  source: 'document 1, operation 16',
  via: { get: '/v1/networks/{network}/blockchains/{blockchainId}' },
  params: z.object({ network, blockchainId: z.string().min(1).describe('the id of any chain') }),
  answer: z.object({
    blockchainId: z.string(),
    blockchainName: optional(word),
    createBlockTimestamp: optional(timestamp).describe('of the P-Chain block that made it'),
    createBlockNumber: optional(unsigned).describe('of the P-Chain block that made it'),
    vmId: optional(word),
    subnetId: optional(word),
    evmChainId: optional(unsigned).describe('EVM chains only'),
    genesisData,
  }),
  cost: 20,
  integers: 'exact',
})

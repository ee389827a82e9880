// Get blockchain details: any chain by its id, with the genesis of an EVM chain.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { optional, timestamp, unsigned, word } from '../fields.ts'
import { genesisData } from './genesis.ts'
import { network } from './parameters.ts'

/** A genesis can have megabytes. The price of this operation is not published: we use that of the list of chains. */
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

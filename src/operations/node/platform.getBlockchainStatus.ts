// platform.getBlockchainStatus: what the asked node does with a blockchain.

import { z } from 'zod'
import { defineMethod } from './method.ts'

/**
 * Live nodes always say Syncing for the P-Chain, and for any chain they run without validating it: it does not mean that
 * they are behind. The set of states is open.
 */
export const getBlockchainStatus = defineMethod({
  name: 'platform.getBlockchainStatus',
  source: 'document 2, P-Chain interface and States',
  params: z.object({ blockchainID: z.string().min(1).describe('blockchain id; live nodes take an alias as well') }),
  answer: z.object({ status: z.string().describe('Validating, Created, Preferred, Syncing or Unknown') }),
})

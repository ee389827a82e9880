// platform.getBlock: a P-Chain block by its id.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { block, encoding } from './block.ts'

/** A block that the node does not have answers with an error. On live nodes the index of blocks has other ids. */
export const getBlock = defineOperation({
  name: 'platform.getBlock',
  source: 'document 2, P-Chain interface and P-Chain block',
  via: { rpc: '/ext/bc/P' },
  params: z.object({
    blockID: z.string().min(1).describe('block id, cb58'),
    encoding: encoding.describe('of the answer'),
  }),
  answer: block,
  notFound: /not found$/,
  integers: 'exact',
})

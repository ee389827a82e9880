// platform.getBlock: a P-Chain block by its id.

import { z } from 'zod'
import { defineMethod } from './method.ts'
import { block, encoding } from './block.ts'

/** A block that the node does not have answers with an error. On live nodes the index of blocks has other ids. */
export const getBlock = defineMethod({
  name: 'platform.getBlock',
  source: 'document 2, P-Chain interface and P-Chain block',
  params: z.object({
    blockID: z.string().min(1).describe('block id, cb58'),
    encoding: encoding.describe('of the answer'),
  }),
  answer: block,
  isPartial: true,
  notFound: /not found$/,
  integers: 'exact',
})

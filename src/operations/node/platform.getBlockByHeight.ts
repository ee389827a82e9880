// platform.getBlockByHeight: a P-Chain block by its height.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { uint64 } from '../fields.ts'
import { block, encoding } from './block.ts'

/** A height that the node does not have, or not yet, answers with an error that ends in `not found`. */
export const getBlockByHeight = defineOperation({
  name: 'platform.getBlockByHeight',
  source: 'document 2, P-Chain interface and P-Chain block',
  via: { rpc: '/ext/bc/P' },
  params: z.object({ height: uint64, encoding: encoding.describe('of the answer') }),
  answer: block,
  notFound: /not found$/,
  integers: 'exact',
})

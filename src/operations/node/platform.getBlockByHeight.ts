// platform.getBlockByHeight: a P-Chain block by its height.

import { z } from 'zod'
import { uint64 } from '../fields.ts'
import { defineMethod } from './method.ts'
import { block, encoding } from './block.ts'

/** A height that the node does not have, or not yet, answers with an error that ends in `not found`. */
export const getBlockByHeight = defineMethod({
  name: 'platform.getBlockByHeight',
  source: 'document 2, P-Chain interface and P-Chain block',
  params: z.object({ height: uint64, encoding: encoding.describe('of the answer') }),
  answer: block,
  isPartial: true,
  notFound: /not found$/,
  integers: 'exact',
})

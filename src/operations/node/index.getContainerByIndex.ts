// index.getContainerByIndex: the container at a position of an index.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { uint64 } from '../fields.ts'
import { container, hex, INDEX, indexPath, isIndex, ONLY_BLOCKS } from './index-path.ts'

/** A position beyond the last one answers with an error. */
export const getContainerByIndex = defineOperation({
  name: 'index.getContainerByIndex',
  source: 'document 2, Index interface',
  service: 'node',
  effect: 'read',
  via: { rpc: INDEX },
  params: z
    .object({ ...indexPath, index: uint64.describe('0 is the first one'), encoding: hex })
    .refine(isIndex, { path: ['kind'], message: ONLY_BLOCKS }),
  answer: container,
  cost: 1,
})

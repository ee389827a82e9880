// index.getContainerRange: containers from a position of an index on, in their order.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { integer, uint64 } from '../fields.ts'
import { anIndex, container, ofIndex } from './index-path.ts'

const LIMIT = 'expected 0 to 1024'

/** Documented: the list itself, null for a range of 0. Live nodes wrap it, and refuse a range of 0. */
const containers = z.union([
  z
    .array(container)
    .nullable()
    .transform((list) => ({ containers: list ?? [] })),
  z.object({ containers: z.array(container) }),
])

/**
 * Gives fewer than asked for where the index ends, and an error where it ends before startIndex. A container that does
 * not fit makes the answer fail: a range without it would hide the gap.
 */
export const getContainerRange = defineOperation({
  name: 'index.getContainerRange',
  ...ofIndex,
  source: 'document 2, Index interface and rules of index.getContainerRange',
  params: anIndex.safeExtend({
    startIndex: uint64.describe('position of the first one'),
    numToFetch: integer.pipe(z.int().min(0, LIMIT).max(1024, LIMIT)).describe('how many; 0 to 1024'),
  }),
  answer: containers,
  // 1,024 containers of a chain.
  maxBytes: 64 * 1024 * 1024,
})

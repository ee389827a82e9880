// The index of a node: what it accepted, in this order. Each index is an endpoint of its own.

import { z } from 'zod'
import { integer, isoTime, optional, uint64, unsigned } from '../fields.ts'
import { defineOperation } from '../define.ts'

export const INDEX = '/ext/index/{chain}/{kind}'
const ofIndex = { source: 'document 2, Index interface', via: { rpc: INDEX } }

/** One of the five. */
export const anIndex = z
  .object({
    chain: z.enum(['P', 'X', 'C']).describe('of which chain'),
    kind: z.enum(['block', 'tx', 'vtx']).describe('blocks; transactions or vertices of the X-Chain'),
    encoding: z.enum(['hex']).default('hex').describe('of the answer'),
  })
  .refine(({ chain, kind }) => chain === 'X' || kind === 'block', {
    path: ['kind'],
    message: 'only the X-Chain has an index of transactions and of vertices',
  })

const containerId = z.string().min(1).describe('container id; on live nodes that of a block is not the block id')

/** Document 2, Index container. On live nodes the container of a block is the proposer's wrapper: its id is not the block's. */
const container = z.object({
  id: z.string(),
  bytes: optional(z.string()).describe('0x...'),
  timestamp: isoTime.describe('when the asked node accepted it; Unix time in seconds for us'),
  encoding: optional(z.string()),
  index: unsigned.describe('containers accepted before it'),
})

/** A container by its id. An id that the index does not have answers with an error that ends in `not found`. */
export const getContainerByID = defineOperation({
  name: 'index.getContainerByID',
  ...ofIndex,
  params: anIndex.safeExtend({ id: containerId }),
  answer: container,
  notFound: /not found$/,
})

/** The container at a position of an index. A position beyond the last one answers with an error. */
export const getContainerByIndex = defineOperation({
  name: 'index.getContainerByIndex',
  ...ofIndex,
  params: anIndex.safeExtend({ index: uint64.describe('0 is the first one') }),
  answer: container,
})

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
 * Containers from a position of an index on, in their order. Gives fewer than asked for where the index ends, and an error
 * where it ends before startIndex. A container that does not fit makes the answer fail: a range without it would hide the gap.
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

/** The position of a container in an index. An id that the index does not have answers with an error that ends in `not found`. */
export const getIndex = defineOperation({
  name: 'index.getIndex',
  ...ofIndex,
  params: anIndex.safeExtend({ id: containerId }),
  answer: z.object({ index: unsigned.describe('containers accepted before it') }),
  notFound: /not found$/,
})

/**
 * The newest container of an index. An empty index answers with an error. Those of transactions and of vertices no longer grow
 * on live nodes.
 */
export const getLastAccepted = defineOperation({
  name: 'index.getLastAccepted',
  ...ofIndex,
  params: anIndex,
  answer: container,
  notFound: /^no containers have been accepted$/,
})

/**
 * Whether an index has a container. The index does not know what was accepted while it was off: false does not mean never
 * accepted.
 */
export const isAccepted = defineOperation({
  name: 'index.isAccepted',
  ...ofIndex,
  params: anIndex.safeExtend({ id: containerId }),
  answer: z.object({ isAccepted: z.boolean() }),
})

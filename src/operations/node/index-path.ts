// What the methods of the index share: which index is asked, and the container that it holds.

import { z } from 'zod'
import { isoTime, optional, unsigned } from '../fields.ts'

export const INDEX = '/ext/index/{chain}/{kind}'
export const ofIndex = { source: 'document 2, Index interface', via: { rpc: INDEX } }

/** Each index is an endpoint of its own (document 2, Index interface): five of them. */
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

export const containerId = z.string().min(1).describe('container id; on live nodes that of a block is not the block id')

/** Document 2, Index container. On live nodes the container of a block is the proposer's wrapper: its id is not the block's. */
export const container = z.object({
  id: z.string(),
  bytes: optional(z.string()).describe('0x...'),
  timestamp: isoTime.describe('when the asked node accepted it; Unix time in seconds for us'),
  encoding: optional(z.string()),
  index: unsigned.describe('containers accepted before it'),
})

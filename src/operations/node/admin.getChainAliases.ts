// admin.getChainAliases: the names that a blockchain has on the node.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { listOf, word } from '../fields.ts'

/** Live nodes count the id itself among the aliases, and give null for a blockchain that they do not know. */
export const getChainAliases = defineOperation({
  name: 'admin.getChainAliases',
  source: 'document 2, Admin interface',
  via: { rpc: '/ext/admin' },
  params: z.object({ chain: z.string().min(1).describe('blockchain id; live nodes take no alias here') }),
  answer: z.object({ aliases: listOf(word) }),
})

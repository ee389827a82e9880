// admin.getChainAliases: the names that a blockchain has on the node.

import { z } from 'zod'
import { listOf, word } from '../fields.ts'
import { defineMethod } from './method.ts'

/** Live nodes count the id itself among the aliases, and give null for a blockchain that they do not know. */
export const getChainAliases = defineMethod({
  name: 'admin.getChainAliases',
  params: z.object({ chain: z.string().min(1).describe('blockchain id; live nodes take no alias here') }),
  answer: z.object({ aliases: listOf(word) }),
})

// info.isBootstrapped: whether a chain of the asked node has caught up with the network since the node started.

import { z } from 'zod'
import { defineMethod } from './method.ts'

/** It stays true when the process of the chain dies. Chains that the node does not run are unknown to it. */
export const isBootstrapped = defineMethod({
  name: 'info.isBootstrapped',
  params: z.object({
    chain: z.string().min(1).describe('P, X, C, a blockchain id, or an alias that the node has for it'),
  }),
  answer: z.object({ isBootstrapped: z.boolean() }),
  notFound: /^there is no chain with alias\/ID /,
})

// info.isBootstrapped: whether a chain of the asked node has caught up with the network since the node started.

import { z } from 'zod'
import { defineOperation } from '../define.ts'

/** It stays true when the process of the chain dies. Chains that the node does not run are unknown to it. */
export const isBootstrapped = defineOperation({
  name: 'info.isBootstrapped',
  source: "the node's own interface, info",
  via: { rpc: '/ext/info' },
  params: z.object({
    chain: z.string().min(1).describe('P, X, C, a blockchain id, or an alias that the node has for it'),
  }),
  answer: z.object({ isBootstrapped: z.boolean() }),
  notFound: /^there is no chain with alias\/ID /,
})

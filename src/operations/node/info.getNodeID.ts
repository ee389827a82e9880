// info.getNodeID: who the asked node is.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { optional, word } from '../fields.ts'

/** Behind a load balancer or a renamed host a different node may answer. */
export const getNodeID = defineOperation({
  name: 'info.getNodeID',
  source: "the node's own interface, info",
  via: { rpc: '/ext/info' },
  answer: z.object({
    nodeID: word,
    nodePOP: optional(
      z.object({
        publicKey: optional(z.string()).describe('the BLS key that it signs messages with'),
        proofOfPossession: optional(z.string()),
      }),
    ),
  }),
})

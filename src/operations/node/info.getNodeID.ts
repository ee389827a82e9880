// info.getNodeID: who the asked node is.

import { z } from 'zod'
import { optional, word } from '../fields.ts'
import { defineMethod } from './method.ts'

/** Behind a load balancer or a renamed host a different node may answer. */
export const getNodeID = defineMethod({
  name: 'info.getNodeID',
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

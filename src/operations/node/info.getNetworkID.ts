// info.getNetworkID: which network the asked node belongs to.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { count } from '../fields.ts'

export const getNetworkID = defineOperation({
  name: 'info.getNetworkID',
  source: "the node's own interface, info",
  via: { rpc: '/ext/info' },
  answer: z.object({ networkID: count.describe('1 is mainnet, 5 is fuji; any other number is a custom network') }),
})

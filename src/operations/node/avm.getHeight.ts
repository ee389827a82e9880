// avm.getHeight: the height of the newest X-Chain block that the asked node has accepted.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { unsigned } from '../fields.ts'

export const avmGetHeight = defineOperation({
  name: 'avm.getHeight',
  source: "the X-Chain's own interface on a node",
  via: { rpc: '/ext/bc/X' },
  answer: z.object({ height: unsigned }),
})

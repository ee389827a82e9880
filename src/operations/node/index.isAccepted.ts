// index.isAccepted: whether an index has a container.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { anIndex, containerId, INDEX } from './index-path.ts'

/** The index does not know what was accepted while it was off: false does not mean never accepted. */
export const isAccepted = defineOperation({
  name: 'index.isAccepted',
  source: 'document 2, Index interface',
  via: { rpc: INDEX },
  params: anIndex.safeExtend({ id: containerId }),
  answer: z.object({ isAccepted: z.boolean() }),
})

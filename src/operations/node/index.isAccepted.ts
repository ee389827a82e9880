// index.isAccepted: whether an index has a container.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { anIndex, containerId, INDEX } from './index-path.ts'

/** Of what was accepted while the index was off, the index knows nothing: false does not mean that it never was. */
export const isAccepted = defineOperation({
  name: 'index.isAccepted',
  source: 'document 2, Index interface',
  service: 'node',
  effect: 'read',
  via: { rpc: INDEX },
  params: anIndex.safeExtend({ id: containerId }),
  answer: z.object({ isAccepted: z.boolean() }),
  cost: 1,
})

// index.isAccepted: whether an index has a container.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { anIndex, containerId, ofIndex } from './index-path.ts'

/** The index does not know what was accepted while it was off: false does not mean never accepted. */
export const isAccepted = defineOperation({
  name: 'index.isAccepted',
  ...ofIndex,
  params: anIndex.safeExtend({ id: containerId }),
  answer: z.object({ isAccepted: z.boolean() }),
})

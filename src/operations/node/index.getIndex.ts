// index.getIndex: the position of a container in an index.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { unsigned } from '../fields.ts'
import { anIndex, containerId, ofIndex } from './index-path.ts'

/** An id that the index does not have answers with an error that ends in `not found`. */
export const getIndex = defineOperation({
  name: 'index.getIndex',
  ...ofIndex,
  params: anIndex.safeExtend({ id: containerId }),
  answer: z.object({ index: unsigned.describe('containers accepted before it') }),
  notFound: /not found$/,
})

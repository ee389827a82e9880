// index.getContainerByIndex: the container at a position of an index.

import { defineOperation } from '../define.ts'
import { uint64 } from '../fields.ts'
import { anIndex, container, ofIndex } from './index-path.ts'

/** A position beyond the last one answers with an error. */
export const getContainerByIndex = defineOperation({
  name: 'index.getContainerByIndex',
  ...ofIndex,
  params: anIndex.safeExtend({ index: uint64.describe('0 is the first one') }),
  answer: container,
})

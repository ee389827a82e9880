// index.getContainerByID: a container by its id.

import { defineOperation } from '../define.ts'
import { anIndex, container, containerId, ofIndex } from './index-path.ts'

/** An id that the index does not have answers with an error that ends in `not found`. */
export const getContainerByID = defineOperation({
  name: 'index.getContainerByID',
  ...ofIndex,
  params: anIndex.safeExtend({ id: containerId }),
  answer: container,
  notFound: /not found$/,
})

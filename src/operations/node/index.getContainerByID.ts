// index.getContainerByID: a container by its id.

import { defineOperation } from '../define.ts'
import { anIndex, container, containerId, INDEX } from './index-path.ts'

/** An id that the index does not have answers with an error that ends in `not found`. */
export const getContainerByID = defineOperation({
  name: 'index.getContainerByID',
  source: 'document 2, Index interface',
  via: { rpc: INDEX },
  params: anIndex.safeExtend({ id: containerId }),
  answer: container,
  notFound: /not found$/,
})

// index.getLastAccepted: the newest container of an index.

import { defineOperation } from '../define.ts'
import { anIndex, container, ofIndex } from './index-path.ts'

/** An empty index answers with an error. Those of transactions and of vertices no longer grow on live nodes. */
export const getLastAccepted = defineOperation({
  name: 'index.getLastAccepted',
  ...ofIndex,
  params: anIndex,
  answer: container,
  notFound: /^no containers have been accepted$/,
})

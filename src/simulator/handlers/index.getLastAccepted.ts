// index.getLastAccepted: the newest container.

import { getLastAccepted } from '../../operations/node/indexes.ts'
import { refusal } from '../node/node-words.ts'
import { handles } from '../handler.ts'
import { containerRecord, containersOf } from './container.ts'

export const handleGetLastAccepted = handles(getLastAccepted, (place, asked) => {
  const last = containersOf(place, asked).last()
  if (last < 0) throw refusal('no containers have been accepted')
  return containerRecord(place, asked, last)
})

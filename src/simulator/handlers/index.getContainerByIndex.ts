// index.getContainerByIndex: by its position.

import { getContainerByIndex } from '../../operations/node/indexes.ts'
import { refusal } from '../node/node-words.ts'
import { handles } from '../handler.ts'
import { containerRecord, containersOf } from './container.ts'

export const handleGetContainerByIndex = handles(getContainerByIndex, (place, asked) => {
  if (asked.index > containersOf(place, asked).last()) throw refusal(`no container at index ${asked.index}`)
  return containerRecord(place, asked, Number(asked.index))
})

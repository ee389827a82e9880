// index.getContainerByID: by the id of the container.

import { getContainerByID } from '../../operations/node/indexes.ts'
import { handles } from '../handler.ts'
import { containerRecord, positionOf } from './container.ts'

export const handleGetContainerByID = handles(getContainerByID, (place, asked) =>
  containerRecord(place, asked, positionOf(place, asked)),
)

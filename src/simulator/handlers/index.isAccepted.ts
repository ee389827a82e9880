// index.isAccepted: whether the index has a container.

import { isAccepted } from '../../operations/node/indexes.ts'
import { handles } from '../handler.ts'
import { containersOf } from './container.ts'

export const handleIsAccepted = handles(isAccepted, (place, asked) => ({
  isAccepted: containersOf(place, asked).find(asked.id) !== undefined,
}))

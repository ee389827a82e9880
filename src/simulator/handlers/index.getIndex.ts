// index.getIndex: the position of a container.

import { getIndex } from '../../operations/node/indexes.ts'
import { handles } from '../handler.ts'
import { positionOf } from './container.ts'

export const handleGetIndex = handles(getIndex, (place, asked) => ({ index: String(positionOf(place, asked)) }))

// admin.getLoggerLevel: of one logger, or of all.

import { getLoggerLevel } from '../../operations/node/admin.ts'
import { loggersOf } from '../node/node-state.ts'
import { handles, nodeOf } from '../handler.ts'

export const handleGetLoggerLevel = handles(getLoggerLevel, (place, { loggerName }) => ({
  loggerLevels: Object.fromEntries(loggersOf(nodeOf(place), place.world, loggerName)),
}))

// admin.setLoggerLevel: what is not given stays as it is.

import { setLoggerLevel } from '../../operations/node/admin.setLoggerLevel.ts'
import { loggersOf } from '../node-state.ts'
import { handles, nodeOf } from '../serve.ts'

export const handleSetLoggerLevel = handles(setLoggerLevel, (place, { loggerName, logLevel, displayLevel }) => {
  const node = nodeOf(place)
  const changed = loggersOf(node, loggerName).map(([name, before]): [string, typeof before] => [
    name,
    { logLevel: logLevel ?? before.logLevel, displayLevel: displayLevel ?? before.displayLevel },
  ])
  for (const [name, levels] of changed) node.loggers.set(name, levels)
  return place.dialect === 'live' ? { loggerLevels: Object.fromEntries(changed) } : {}
})

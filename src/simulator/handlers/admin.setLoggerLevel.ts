// admin.setLoggerLevel: what is not given stays as it is.

import { setLoggerLevel } from '../../operations/node/admin.ts'
import { loggersOf } from '../node/node-state.ts'
import { LOG_LEVELS, refusal, UNREADABLE } from '../node/node-words.ts'
import { handles, nodeOf } from '../handler.ts'

export const handleSetLoggerLevel = handles(setLoggerLevel, (place, { loggerName, ...given }) => {
  const node = nodeOf(place)
  const [logLevel, displayLevel] = [levelOf(given.logLevel), levelOf(given.displayLevel)]
  if (logLevel === undefined && displayLevel === undefined) {
    throw refusal('need to specify either displayLevel or logLevel')
  }
  const changed = loggersOf(node, place.world, loggerName).map(([name, before]): [string, typeof before] => [
    name,
    { logLevel: logLevel ?? before.logLevel, displayLevel: displayLevel ?? before.displayLevel },
  ])
  for (const [name, levels] of changed) node.loggers.set(name, levels)
  return place.dialect === 'live' ? { loggerLevels: Object.fromEntries(changed) } : {}
})

/** A node knows a level in capitals and in small letters. */
function levelOf(given: string | undefined): string | undefined {
  const level = given?.toUpperCase()
  if (level !== undefined && !LOG_LEVELS.some((one) => one === level)) throw refusal(UNREADABLE)
  return level
}

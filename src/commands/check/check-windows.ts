// The maintenance windows in the output of check: when each opens next.

import type { MaintenanceWindow } from '../../config/maintenance.ts'
import type { Config } from '../../config/schema.ts'
import { occurrencesFrom } from '../../judgements/maintenance.ts'
import { localText } from '../../lib/calendar.ts'

const SHOWN = 5

/** `now` is in milliseconds. */
export function windowLines({ networks }: Config, now: number): string[] {
  return networks.flatMap(({ name: network, maintenance }) =>
    maintenance.flatMap((window) => {
      const next = occurrencesFrom(window, now).take(SHOWN).toArray()
      const name = `window ${network}/${window.name}`
      if (next.length === 0) return [`${name}  is over since ${times(window, [window.to!])}: remove it`]
      return next.map(({ start, end }) => {
        return `${name}  ${times(window, [start, end])}${start <= now ? '  open now' : ''}`
      })
    }),
  )
}

/** In the time zone of the window, and in UTC. */
function times({ timezone }: MaintenanceWindow, of: readonly number[]): string {
  const zones = [...new Set([timezone, 'UTC'])]
  return zones.map((zone) => `${of.map((time) => localText(time, zone)).join(' to ')} ${zone}`).join(' = ')
}

// The maintenance windows in the output of check: when each opens next, and which cannot do what they are for.

import type { MaintenanceWindow } from '../../maintenance/window.ts'
import type { Config, Network } from '../../config/schema.ts'
import { occurrencesFrom } from '../../maintenance/schedule.ts'
import { requiredUptime } from '../../judgements/reward.ts'
import { localText } from '../../lib/calendar.ts'
import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { coveredBy, isWhole } from '../../maintenance/coverage.ts'

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

/** `now` is in milliseconds. */
export function windowWarnings({ networks }: Config, now: number): string[] {
  return networks.flatMap((network) =>
    network.maintenance.flatMap((window) =>
      [coversNothing(window, network), hasNoId(window, network), isOpenTooLong(window, network, now)]
        .filter((text) => text !== undefined)
        .map((text) => `window ${network.name}/${window.name}${text}`),
    ),
  )
}

function coversNothing(window: MaintenanceWindow, network: Network): string | undefined {
  const isEmpty = Object.values(coveredBy(window, network)).every((things) => things.length === 0)
  return isEmpty
    ? ' covers nothing: name what it covers, or remove its empty lists to cover the whole network'
    : undefined
}

/** Only its id says which validators run on a node. */
function hasNoId(window: MaintenanceWindow, { nodes }: Network): string | undefined {
  if (isWhole(window)) return undefined
  const named = nodes.filter(({ name, node_id }) => node_id === undefined && window.nodes?.includes(name))
  if (named.length === 0) return undefined
  const names = named.map(({ name }) => name).join(', ')
  return ` does not cover the validators that run on ${names}: write node_id at the entry of the node`
}

const WEEKS = 28 * 86_400_000
/** Percent of its stake for which any validator may be down. */
const MAY_BE_DOWN = Math.round(100 * (1 - requiredUptime(0, undefined)))

function isOpenTooLong(window: MaintenanceWindow, network: Network, now: number): string | undefined {
  const primary = network.subnets.find(({ id }) => id === PRIMARY_NETWORK_ID)?.name
  const staked = coveredBy(window, network).validators.filter(({ subnet }) => subnet === primary)
  if (window.schedule === undefined || staked.length === 0) return undefined
  let open = 0
  for (const { start, end } of occurrencesFrom(window, now)) {
    if (start >= now + WEEKS) break
    open += end - start
  }
  const percent = Math.round((100 * open) / WEEKS)
  if (percent <= MAY_BE_DOWN) return undefined
  const names = staked.map(({ name }) => name).join(', ')
  return ` is open for ${percent} % of the next four weeks, and a validator that is down for more than ${MAY_BE_DOWN} % of a stake loses its reward: shorten it for ${names}`
}

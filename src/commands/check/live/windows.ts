// What each maintenance window would cost, long before the rules warn of it.

import type { MaintenanceWindow } from '../../../maintenance/window.ts'
import type { Readings } from '../../../conditions/board.ts'
import type { Config } from '../../../config/schema.ts'
import { occurrencesFrom } from '../../../maintenance/schedule.ts'
import { localText } from '../../../lib/calendar.ts'
import { coveredBy } from '../../../maintenance/coverage.ts'
import { type Cost, costsOf, unknownAmong } from '../../window-costs.ts'
import { type Line, ok, problem, unknown, type Verdict } from './verdict.ts'

const remedies: Readonly<Record<string, string>> = {
  StakewatchMaintenanceTooLong: 'shorten the window, or divide it',
  StakewatchMaintenanceStallsL1: 'give some of the validators another window, at another time',
  StakewatchMaintenanceEndsStake: 'move the window, so that the stake ends before or after it',
}

/** `now` is in milliseconds. */
export function windowVerdicts(config: Config, readings: Readings, now: number): Line[] {
  if (config.networks.every(({ maintenance }) => maintenance.length === 0)) return []
  const costs = costsOf(config, readings, now)
  return config.networks.flatMap((network) =>
    network.maintenance.flatMap((window) => {
      const own = costs.filter(({ labels }) => labels['network'] === network.name && labels['window'] === window.name)
      const unseen = unknownAmong(coveredBy(window, network).validators, network, readings).map(({ name }) => name)
      const line = (verdict: Verdict): Line => ({ kind: 'window', name: `${network.name}/${window.name}`, ...verdict })
      return verdictsOf(window, own, unseen, now).map(line)
    }),
  )
}

function verdictsOf(window: MaintenanceWindow, costs: readonly Cost[], unseen: readonly string[], now: number) {
  const [next] = occurrencesFrom(window, now)
  if (!next) return [ok('it is over')]
  return [
    ...costs.map(({ alert, text }) => problem(text, remedies[alert])),
    ...(unseen.length > 0 ? [unknown(`no source reports how long these may be down: ${unseen.join(', ')}`)] : []),
    ...(costs.length + unseen.length === 0
      ? [ok(`opens ${localText(next.start, 'UTC')} UTC; the next one costs no reward and stalls no L1`)]
      : []),
  ]
}

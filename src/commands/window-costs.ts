// What the maintenance windows of a configuration cost, by the metrics of a daemon.

import { ruleOf } from '../alerts/condition-rule.ts'
import { limitsOf } from '../alerts/limit.ts'
import type { Config, Network, Validator } from '../config/schema.ts'
import { parseTemplate, render } from '../alerts/template.ts'
import { createBoard, currentSeries, type Readings } from '../conditions/board.ts'
import { createJudge } from '../conditions/judge.ts'
import {
  maintenanceEndsStake,
  maintenanceStallsL1,
  maintenanceTooLong,
} from '../conditions/maintenance/window-costs.ts'
import type { Labels } from '../lib/label-text.ts'
import { PRIMARY_NETWORK_ID } from '../lib/primary-network.ts'
import { queryOf } from '../alerts/text-query.ts'
import { maintenanceAt, maintenanceMetrics } from '../maintenance/metrics.ts'

export interface Cost {
  /** The alert that warns of it. */
  alert: string
  /** With the network and the window. */
  labels: Labels
  text: string
}

const costs = [maintenanceTooLong, maintenanceStallsL1, maintenanceEndsStake]
const ownMetrics = new Set(maintenanceMetrics.map(({ name }) => name))

/** What `metrics` say about windows is replaced by what this configuration says. */
export function costsOf(config: Config, metrics: Readings, now: number): Cost[] {
  const others = [...metrics].flatMap(([name, series]) => (ownMetrics.has(name) ? [] : series))
  const board = createBoard()
  board.replace('all', [...others, ...currentSeries(maintenanceAt(config, now).samples)])
  // However far ahead a window is.
  const limits = { ...limitsOf(config), maintenanceNotice: Number.MAX_SAFE_INTEGER }
  const { judged } = createJudge(costs).judge(board, now / 1_000, limits)
  return judged.map(({ condition, labels, value, details }) => {
    const { alert, description } = ruleOf(condition)
    return { alert, labels, text: render(parseTemplate(description), { labels, value, query: queryOf({ details }) }) }
  })
}

/** The validators about which the metrics lack what a cost follows from. */
export function unknownAmong(validators: readonly Validator[], network: Network, metrics: Readings): Validator[] {
  const primary = network.subnets.find(({ id }) => id === PRIMARY_NETWORK_ID)?.name
  return validators.filter((one) => {
    const needed = one.subnet === primary ? 'stakewatch_validator_may_stop_seconds' : 'stakewatch_validator_weight'
    return !hasSeries(needed, one, network, metrics)
  })
}

/** The validators that the daemon of these metrics does not watch. */
export function unwatchedAmong(validators: readonly Validator[], network: Network, metrics: Readings): Validator[] {
  return validators.filter((one) => !hasSeries('stakewatch_validator_tracked', one, network, metrics))
}

function hasSeries(metric: string, { subnet, node_id }: Validator, network: Network, metrics: Readings): boolean {
  return (metrics.get(metric) ?? []).some(
    ({ labels }) => labels['network'] === network.name && labels['subnet'] === subnet && labels['node_id'] === node_id,
  )
}

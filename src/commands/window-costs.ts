// What the maintenance windows of a configuration cost, by the metrics of a daemon.

import { JOB } from '../alerts/groups.ts'
import type { Config, Network, Validator } from '../config/schema.ts'
import { type Cost, costsAmong } from '../firing/maintenance-costs.ts'
import { PRIMARY_NETWORK_ID } from '../lib/primary-network.ts'
import { renderFamilies } from '../metrics/exposition.ts'
import { type Readings, readSamples } from '../metrics/read-exposition.ts'
import { maintenanceAt, maintenanceMetrics } from '../scheduler/maintenance.ts'

const ownMetrics = new Set(maintenanceMetrics.map(({ name }) => name))

/** `text` is an exposition. What it says about windows is replaced by what this configuration says. */
export function costsOf(config: Config, text: string, now: number): Cost[] {
  const published = readSamples(Buffer.from(text), { job: JOB }).filter(({ name }) => !ownMetrics.has(name))
  const planned = renderFamilies(maintenanceAt(config, now).samples).flatMap(({ lines }) =>
    readSamples(lines, { job: JOB }),
  )
  return costsAmong(
    Map.groupBy([...published, ...planned], ({ name }) => name),
    now,
  )
}

export const metricsIn = (text: string): Readings => Map.groupBy(readSamples(Buffer.from(text)), ({ name }) => name)

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

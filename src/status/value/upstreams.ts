// The configured upstreams, from their published metrics.

import type { UpstreamError } from '../../metrics/publication.ts'
import type { Source } from '../../upstream/source.ts'
import type { Readings } from '../../metrics/read-exposition.ts'
import type { alertsAbout } from './alerts.ts'
import type { InMaintenance } from './maintenance.ts'
import { ofUpstream } from './metric-names.ts'
import { keyOf, type OwnReadings, groupReadings } from './readings.ts'
import type { Upstream } from './status-schema.ts'

interface Input {
  sources: readonly Source[]
  readings: Readings
  errors: readonly UpstreamError[]
  alerts: ReturnType<typeof alertsAbout>
  maintenance: InMaintenance
}

export function upstreamsOf({ sources, readings, errors, alerts, maintenance }: Input): Upstream[] {
  const readingsOf = groupReadings(readings, Object.values(ofUpstream), ({ network = '', source = '' }) =>
    keyOf(network, source),
  )
  const lastErrors = new Map(errors.map((error) => [keyOf(error.network, error.source), error]))
  return sources.map((source) => {
    const { network, name } = source
    const key = keyOf(network, name)
    const upstream = upstreamOf(source, readingsOf(key), lastErrors.get(key))
    return {
      ...upstream,
      maintenance:
        maintenance('node', network, name) ??
        (upstream.node_id === null ? null : maintenance('machine', network, upstream.node_id)),
      alerts: alerts(network, 'source', { source: name }),
    }
  })
}

function upstreamOf(
  { network, name, service, url }: Source,
  own: OwnReadings,
  error: UpstreamError | undefined,
): Omit<Upstream, 'alerts' | 'maintenance'> {
  const node = own.all(ofUpstream.node)[0]?.labels
  const open = own.all(ofUpstream.circuitOpen).filter(({ value }) => value === 1)
  return {
    network,
    source: name,
    service,
    host: String(url),
    node_id: node?.['id'] ?? null,
    version: node?.['version'] ?? null,
    up: own.flag(ofUpstream.up),
    refusing: own.flag(ofUpstream.refusing),
    circuit_open: own.flag(ofUpstream.circuitOpen, 'operation', ''),
    open_operations: open.flatMap(({ labels: { operation = '' } }) => (operation === '' ? [] : [operation])),
    budgets: own.all(ofUpstream.budget).flatMap(({ labels: { window = '' }, value: units }) => {
      const remaining = own.value(ofUpstream.remaining, 'window', window)
      return remaining === null ? [] : [{ window, units, remaining_units: remaining }]
    }),
    last_error: error
      ? { code: error.code, text: error.reason, operation: error.operation, timestamp_seconds: error.at / 1_000 }
      : null,
  }
}

// The configured upstreams, from their published metrics.

import type { UpstreamError } from '../../metrics/publication.ts'
import type { Source } from '../../upstream/source.ts'
import { ofUpstream } from './metric-names.ts'
import { type Alerted, groupReadings, keyOf, type OwnReadings } from './readings.ts'
import type { Upstream } from './status-schema.ts'

export function upstreamsOf({ sources, readings, errors, alerts, maintenance }: Alerted): Upstream[] {
  const readingsOf = groupReadings(readings, Object.values(ofUpstream), ['network', 'source'])
  const lastErrors = new Map(errors.map((error) => [keyOf(error.network, error.source), error]))
  return sources.map((source) => {
    const { network, name } = source
    const upstream = upstreamOf(source, readingsOf(network, name), lastErrors.get(keyOf(network, name)))
    const { node_id: id } = upstream
    return {
      ...upstream,
      maintenance: maintenance('node', network, name) ?? (id === null ? null : maintenance('machine', network, id)),
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

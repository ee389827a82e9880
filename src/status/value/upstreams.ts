// The configured upstreams, from what is published about them.

import type { UpstreamError } from '../../metrics/publication.ts'
import type { Source } from '../../upstream/source.ts'
import type { Readings } from '../../metrics/read-exposition.ts'
import type { alertsAbout } from './alerts.ts'
import { ofUpstream } from './metric-names.ts'
import { keyOf, type Said, saidOf } from './readings.ts'
import type { Upstream } from './status-schema.ts'

interface Told {
  sources: readonly Source[]
  readings: Readings
  errors: readonly UpstreamError[]
  alerts: ReturnType<typeof alertsAbout>
}

export function upstreamsOf({ sources, readings, errors, alerts }: Told): Upstream[] {
  const said = saidOf(readings, Object.values(ofUpstream), ({ network = '', source = '' }) => keyOf(network, source))
  const lastErrors = new Map(errors.map((error) => [keyOf(error.network, error.source), error]))
  return sources.map((source) => {
    const { network, name } = source
    const key = keyOf(network, name)
    return {
      ...upstreamOf(source, said(key), lastErrors.get(key)),
      alerts: alerts(network, 'source', { source: name }),
    }
  })
}

function upstreamOf(
  { network, name, service, url }: Source,
  own: Said,
  error: UpstreamError | undefined,
): Omit<Upstream, 'alerts'> {
  const node = own.all(ofUpstream.node)[0]?.labels
  const open = own.all(ofUpstream.circuitOpen).filter(({ value }) => value === 1)
  return {
    network,
    source: name,
    service,
    host: String(url),
    node_id: node?.['id'] ?? null,
    version: node?.['version'] ?? null,
    up: own.isSo(ofUpstream.up),
    refusing: own.isSo(ofUpstream.refusing),
    circuit_open: own.isSo(ofUpstream.circuitOpen, 'operation', ''),
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

// The configuration as it is in force, with its defaults and what presets fill in, as a file that could be read again. What is
// secret in it is not shown.

import { stringify } from 'yaml'
import { formatDuration } from '../lib/duration.ts'
import { PRIMARY_NETWORK_ID } from '../lib/primary-network.ts'
import type { Secret } from '../lib/secret.ts'
import type { Config } from './schema.ts'

const MASK = '<secret>'

/** Numbers that a file has as texts. */
const durations = new Set(['timeout', 'every', 'stall_after', 'lookback', 'min_duration'])
const times = new Set(['upgrade_time', 'planned_end'])

export function shownConfig({ networks, ...rest }: Config): string {
  const written = networks.map(({ network_id: _, subnets, ...network }) => ({
    ...network,
    // It is always among them, and no file names it.
    subnets: subnets.filter(({ id }) => id !== PRIMARY_NETWORK_ID),
  }))
  return stringify(shown('', { networks: written, ...rest }), { lineWidth: 0 })
}

function shown(key: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => shown(key, item))
  if (typeof value === 'number' && durations.has(key)) return formatDuration(value)
  if (typeof value === 'number' && times.has(key)) return new Date(value * 1_000).toISOString()
  if (typeof value !== 'object' || value === null) return value
  if ('reveal' in value) return key === 'url' ? maskedUrl(value as Secret) : MASK
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shown(name, inner)]))
}

/** Scheme, host and port; that there is more is said, and not what. */
function maskedUrl(url: Secret): string {
  const { protocol, host, username, password, pathname, search } = new URL(url.reveal())
  const user = username === '' && password === '' ? '' : `${MASK}@`
  const rest = pathname === '/' && search === '' ? '' : `/${MASK}`
  return `${protocol}//${user}${host}${rest}`
}

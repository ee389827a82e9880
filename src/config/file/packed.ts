// A configuration as plain data that can cross to another thread, secrets included.

import { restored, type Secret } from '../../lib/secret.ts'
import type { Config } from '../schema.ts'

/** Made by `packed` alone. */
export type PackedConfig = { readonly packed: unknown }

const SECRET = '\0secret'

export function packed(config: Config): PackedConfig {
  return {
    packed: mapped(config, (value) => (isSecret(value) ? { [SECRET]: [value.reveal(), String(value)] } : undefined)),
  }
}

export function unpacked({ packed }: PackedConfig): Config {
  return mapped(packed, (value) => {
    const parts = (value as Record<string, unknown>)[SECRET] as [string, string] | undefined
    return parts && restored(...parts)
  }) as Config
}

function isSecret(value: object): value is Secret {
  return 'reveal' in value
}

/** A copy with each object replaced for which `by` gives something. */
function mapped(value: unknown, by: (value: object) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const other = by(value)
  if (other !== undefined) return other
  if (Array.isArray(value)) return value.map((item) => mapped(item, by))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapped(item, by)]))
}

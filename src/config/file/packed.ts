// A value with secrets, such as a configuration, as plain data that can cross to another thread.

import { isSecret, masked } from '../../lib/secret.ts'

/** Made by `packed` alone. */
export type Packed<Value> = { readonly packed: unknown; readonly of?: Value }

const SECRET = '\0secret'

export function packed<Value>(value: Value): Packed<Value> {
  return {
    packed: mapped(value, (one) => (isSecret(one) ? { [SECRET]: [one.reveal(), String(one)] } : undefined)),
  }
}

export function unpacked<Value>({ packed }: Packed<Value>): Value {
  return mapped(packed, (value) => {
    const parts = (value as Record<string, unknown>)[SECRET] as [string, string] | undefined
    return parts && masked(...parts)
  }) as Value
}

/** A copy with each object replaced for which `by` gives something. */
function mapped(value: unknown, by: (value: object) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const other = by(value)
  if (other !== undefined) return other
  if (Array.isArray(value)) return value.map((item) => mapped(item, by))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapped(item, by)]))
}

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

/** Each object replaced for which `by` gives something. What holds none is not copied: there may be a million values. */
function mapped(value: unknown, by: (value: object) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const other = by(value)
  if (other !== undefined) return other
  const before = value as Readonly<Record<string, unknown>>
  let copy: Record<string, unknown> | undefined
  for (const key of Object.keys(value)) {
    const item = mapped(before[key], by)
    if (item === before[key]) continue
    copy ??= (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>
    copy[key] = item
  }
  return copy ?? value
}

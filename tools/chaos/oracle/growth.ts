// Counters only grow: within the life of a process all of them, beyond it those that are stored.

import type { Violation } from './define.ts'
import { type Exposition, typeOf } from './exposition.ts'

export interface Growth {
  check(exposition: Exposition): Violation[]
  /** A new process: counters begin at zero, but for those that are stored. */
  restarted(): void
}

/** `isStored` says of the name of a counter or histogram whether its values outlive the process. */
export function createGrowth(isStored: (name: string) => boolean): Growth {
  const last = new Map<string, number>()
  const stored = new Map<string, boolean>()

  return {
    check({ series, types }) {
      const violations: Violation[] = []
      for (const [key, { name, base, value }] of series) {
        const type = typeOf(types, name) ?? types.get(base)
        if (type !== 'counter' && type !== 'histogram') continue
        const before = last.get(key)
        if (before === undefined) stored.set(key, isStored(name) || isStored(base))
        if (before !== undefined && value < before) {
          violations.push({ rule: 'counter', subject: key, says: `fell from ${before} to ${value}` })
        }
        last.set(key, value)
      }
      return violations
    },
    restarted() {
      for (const key of last.keys()) if (!stored.get(key)) last.delete(key)
    },
  }
}

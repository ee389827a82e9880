// Counters only grow: within the life of a process all of them, beyond it those that are stored.

import type { Series, Violation } from './define.ts'
import { type Exposition, typeOf } from './exposition.ts'

export interface Growth {
  check(exposition: Exposition): Violation[]
  /** A new process: counters begin at zero, but for those that are stored. */
  restarted(): void
}

export interface GrowthOptions {
  /** Whether the values of a counter or histogram of this name outlive the process. */
  isStored: (name: string) => boolean
  /**
   * Whether the network never had this value of the series. A counter that repeats a total of the chain may fall from
   * it: only later answers can contradict a lie in the first one. The rule `untrue` judges whether it may be published.
   */
  isUntrue: (series: Series, value: number) => boolean
}

export function createGrowth({ isStored, isUntrue }: GrowthOptions): Growth {
  const last = new Map<string, number>()
  const stored = new Map<string, boolean>()

  return {
    check({ series, types }) {
      const violations: Violation[] = []
      for (const [key, one] of series) {
        const { name, base, value } = one
        const type = typeOf(types, name) ?? types.get(base)
        if (type !== 'counter' && type !== 'histogram') continue
        const before = last.get(key)
        if (before === undefined) stored.set(key, isStored(name) || isStored(base))
        if (before !== undefined && value < before && !isUntrue(one, before)) {
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

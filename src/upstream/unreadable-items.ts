// Items that could not be read, each counted once: the same ones come with every answer for as long as they are listed.

import { createHash } from 'node:crypto'
import type { Source } from './source.ts'

export interface UnreadItems {
  /** How many of these items were not among those of an answer to such a question before. */
  fresh(source: Pick<Source, 'network' | 'name'>, question: string, items: readonly unknown[]): number
  /** Under this name another upstream is asked from now on, or none. */
  forget(source: Pick<Source, 'network' | 'name'>): void
}

/** Of how many items of a source that is remembered; those that were seen last stay. */
const MOST = 10_000
/** Members that tell a record from others of its kind, as documents and nodes name them. What is beside them may change. */
const NAMING = /^(id|.*(Id|ID|[hH]ash|Number|Index))$/

export function createUnreadItems(): UnreadItems {
  const bySource = new Map<string, Map<string, number>>()
  const keyOf = ({ network, name }: Pick<Source, 'network' | 'name'>) => `${network}/${name}`
  return {
    fresh(source, question, items) {
      if (items.length === 0) return 0
      const seen = bySource.get(keyOf(source)) ?? new Map<string, number>()
      bySource.set(keyOf(source), seen)
      let count = 0
      for (const [name, same] of Map.groupBy(items, (item) => nameOf(question, item))) {
        const before = seen.get(name) ?? 0
        count += Math.max(0, same.length - before)
        seen.delete(name)
        seen.set(name, Math.max(before, same.length))
      }
      for (const name of seen.keys()) {
        if (seen.size <= MOST) break
        seen.delete(name)
      }
      return count
    },
    forget: (source) => void bySource.delete(keyOf(source)),
  }
}

/** By what names it, or by all of it where nothing does. */
function nameOf(question: string, item: unknown): string {
  const members = Object.entries(Object(item) as Record<string, unknown>)
  const naming = members.filter(([key, value]) => NAMING.test(key) && typeof value !== 'object')
  const text = JSON.stringify(naming.length > 0 ? naming : item, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  return createHash('sha256').update(`${question} ${text}`).digest('base64')
}

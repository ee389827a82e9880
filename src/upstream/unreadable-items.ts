// Counts each unreadable item once, though it comes again with every answer for as long as it is listed.

import { createHash } from 'node:crypto'
import { entryOf } from '../lib/entry.ts'
import { sourceKey, type SourceName } from './source.ts'

export type UnreadItems = ReturnType<typeof createUnreadItems>

/** Items remembered for each source; those that were seen last stay. */
const MOST = 10_000
/** Members that identify a record, as documents and nodes name them. Its other members may change. */
const NAMING = /^(id|.*(Id|ID|[hH]ash|Number|Index))$/

export function createUnreadItems() {
  const bySource = new Map<string, Map<string, number>>()
  return {
    /** How many of these items no earlier answer to the question had. */
    fresh(source: SourceName, question: string, items: readonly unknown[]): number {
      if (items.length === 0) return 0
      const seen = entryOf(bySource, sourceKey(source), () => new Map())
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
    /** The source is gone, or has another address. */
    forget: (source: SourceName) => void bySource.delete(sourceKey(source)),
  }
}

/** Identifies an item by its identifying members, or by all of them. */
function nameOf(question: string, item: unknown): string {
  const members = Object.entries(Object(item) as Record<string, unknown>)
  const naming = members.filter(([key, value]) => NAMING.test(key) && typeof value !== 'object')
  const text = JSON.stringify(naming.length > 0 ? naming : item, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  return createHash('sha256').update(`${question} ${text}`).digest('base64')
}

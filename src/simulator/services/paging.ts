// Page tokens: opaque, good for 24 hours and for the list that they came from, stable while the list grows.

import { random } from '../world/random.ts'
import { Refusal } from '../refusal.ts'

interface Page<T> {
  items: T[]
  nextPageToken?: string
}

interface PageRequest<T> {
  /** Which list: operation and filters. A token of another list is refused. */
  list: string
  pageToken: string | undefined
  pageSize: number
  /** Unix seconds. */
  now: number
  /** The list from the item after `last` on, or from its beginning. */
  after: (last: T | undefined) => Iterable<T>
  /** Whether a page ends with these, be they fewer than asked for. */
  isEnough?: (items: readonly T[]) => boolean
}

export interface Paging {
  page<T>(request: PageRequest<T>): Page<T>
}

const LIFETIME = 24 * 3_600

export function createPaging(seed: number): Paging {
  const tokens = new Map<string, { list: string; last: unknown; until: number }>()
  const dice = random(seed, 'page tokens')

  function keep(list: string, last: unknown, now: number): string {
    for (const [token, { until }] of tokens) {
      if (until >= now) break
      tokens.delete(token)
    }
    const token = dice.base58(32)
    tokens.set(token, { list, last, until: now + LIFETIME })
    return token
  }

  return {
    page<T>({ list, pageToken, pageSize, now, after, isEnough = () => false }: PageRequest<T>): Page<T> {
      const known = pageToken === undefined ? undefined : tokens.get(pageToken)
      if (pageToken !== undefined && (known?.list !== list || known.until < now)) {
        throw new Refusal(400, 'pageToken is unknown, expired or of another request')
      }
      const items: T[] = []
      for (const item of after(known?.last as T | undefined)) {
        if (items.length === pageSize || isEnough(items)) return { items, nextPageToken: keep(list, items.at(-1), now) }
        items.push(item)
      }
      return { items }
    },
  }
}

/** The items of a list that is at hand, in an order that knows no two as equal, from the one after `last` on. */
export function inOrder<T>(items: readonly T[], compare: (a: T, b: T) => number, order: 'asc' | 'desc') {
  const way = order === 'asc' ? 1 : -1
  const sorted = items.toSorted((a, b) => compare(a, b) * way)
  return (last: T | undefined) => (last === undefined ? sorted : sorted.filter((one) => compare(one, last) * way > 0))
}

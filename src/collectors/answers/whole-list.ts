// Lists that are of use only as a whole, because sums and counts need every item.

import { BaseError } from '../../errors.ts'
import type { Answer } from '../../operations/define.ts'

/** Throws if an item is unreadable. An item may be on two pages while items come and go: it is returned once. */
export async function wholeList<V, I>(
  what: string,
  pages: AsyncIterable<Answer<V>>,
  itemsOf: (value: V) => readonly I[],
  idOf: (item: I) => string,
): Promise<I[]> {
  const listed = new Map<string, I>()
  for await (const { value, dropped } of pages) {
    if (dropped > 0) throw new BaseError('bad_response', `some ${what} are malformed`)
    for (const item of itemsOf(value)) listed.set(idOf(item), item)
  }
  return [...listed.values()]
}

// Lists as the data service pages them: newest first, by an offset that other items arrive before.

import type { Upstream } from './poll.ts'

/** One page of a list that is kept oldest first; `turn` puts the page's own order out. */
export function pageOf<I>(oldestFirst: readonly I[], token: unknown, size: number, turn = 0) {
  const offset = Number(token ?? 0)
  const end = Math.max(0, oldestFirst.length - offset)
  const page = oldestFirst.slice(Math.max(0, end - size), end).toReversed()
  const at = page.length === 0 ? 0 : turn % page.length
  return {
    page: [...page.slice(at), ...page.slice(0, at)],
    nextPageToken: offset + size < oldestFirst.length ? String(offset + size) : '',
  }
}

/** A service that gives a list in these pages, under the name that the operation has for it. */
export function pagesUnder(name: string, ...pages: readonly (readonly object[])[]): Upstream {
  return (_, { query }) => {
    const page = Number(query['pageToken'] ?? 0)
    return { [name]: pages[page], nextPageToken: page + 1 < pages.length ? String(page + 1) : '' }
  }
}

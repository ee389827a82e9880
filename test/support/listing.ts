// Lists as the data service pages them.

import type { Upstream } from './poll.ts'

/** A service that gives a list in these pages, under the name that the operation has for it. */
export function pagesUnder(name: string, ...pages: readonly (readonly object[])[]): Upstream {
  return (_, { query }) => {
    const page = Number(query['pageToken'] ?? 0)
    return { [name]: pages[page], nextPageToken: page + 1 < pages.length ? String(page + 1) : '' }
  }
}

// Reads paged lists by following their page tokens.

import { BaseError } from '../errors.ts'

/** Far beyond any list we read, even where a service returns small pages. */
export const MAX_PAGES = 1_000
/** A service may filter after paging, so that some pages are empty; this many in a row mean that the list never ends. */
const MAX_EMPTY = 10

/**
 * The pages of the list named `items`. The list ends with a missing or empty token, not with a page that is shorter than
 * requested.
 */
export async function* pages<A extends { value: unknown }>(
  ask: (pageToken: string | undefined) => Promise<A>,
  most = MAX_PAGES,
  items = '',
): AsyncGenerator<A, void, undefined> {
  const tokens = new Set<string>()
  let token: string | undefined
  let empty = 0
  while (tokens.size < most) {
    const answer = await ask(token)
    yield answer
    const { [items]: list, nextPageToken: next } = Object(answer.value) as Record<string, unknown>
    if (typeof next !== 'string' || next === '') return
    if (tokens.has(next)) throw new BaseError('bad_response', 'a page token came back: the list would not end')
    tokens.add((token = next))
    empty = Array.isArray(list) && list.length === 0 ? empty + 1 : 0
    if (empty === MAX_EMPTY)
      throw new BaseError('too_large', `${MAX_EMPTY} pages in a row are empty, and the list goes on`)
  }
  throw new BaseError('too_large', `the list does not end within ${most} pages`)
}

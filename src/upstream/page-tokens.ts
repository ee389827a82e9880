// Following page tokens.

import { BaseError } from '../errors.ts'

/** Far beyond any list we read, also where a service gives fewer items in a page than it is asked for. */
export const MAX_PAGES = 1_000
/** A service may filter after it has cut its pages, so that some are empty; so many in a row are a list without an end. */
const MAX_EMPTY = 10

/**
 * The pages of a list, whose name is `items`. The end is a missing or empty token: a page shorter than asked for is not the
 * last.
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

// Following page tokens.

import { BaseError } from '../errors.ts'
/** Far beyond any list we read; a service that never ends its list must not keep a run busy. */
const MAX_PAGES = 1_000

/** The pages of a list. The end is a missing or empty token: a page shorter than asked for is not the last. */
export async function* pages<A extends { value: unknown }>(
  ask: (pageToken: string | undefined) => Promise<A>,
  most = MAX_PAGES,
): AsyncGenerator<A, void, undefined> {
  const tokens = new Set<string>()
  let token: string | undefined
  while (tokens.size < most) {
    const answer = await ask(token)
    yield answer
    const { nextPageToken: next } = Object(answer.value) as { nextPageToken?: unknown }
    if (typeof next !== 'string' || next === '') return
    if (tokens.has(next)) throw new BaseError('bad_response', 'a page token came back: the list would not end')
    tokens.add((token = next))
  }
  throw new BaseError('bad_response', `the list does not end within ${most} pages`)
}

// Following page tokens.

import { BaseError } from '../errors.ts'
import type { Answer } from '../operations/define.ts'

/** Far beyond any list we read; a service that never ends its list must not keep a run busy. */
const MAX_PAGES = 1_000

/** The pages of a list. The end is a missing or empty token: a page shorter than asked for is not the last. */
export async function* pages<T>(
  ask: (pageToken: string | undefined) => Promise<Answer<T>>,
): AsyncGenerator<Answer<T>, void, undefined> {
  const tokens = new Set<string>()
  let token: string | undefined
  while (tokens.size < MAX_PAGES) {
    const answer = await ask(token)
    yield answer
    const { nextPageToken: next } = answer.value as { nextPageToken?: string }
    if (next === undefined || next === '') return
    if (tokens.has(next)) throw new BaseError('bad_response', 'a page token came back: the list would not end')
    tokens.add((token = next))
  }
  throw new BaseError('bad_response', `the list does not end within ${MAX_PAGES} pages`)
}

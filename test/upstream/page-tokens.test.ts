import { describe, expect, test } from 'vitest'
import { pages } from '../../src/upstream/page-tokens.ts'

interface Page {
  items: number[]
  nextPageToken?: string | undefined
}

/** Reads to the end; `asked` are the tokens that were sent. */
async function read(pageOf: (token: string | undefined) => Page) {
  const asked: (string | undefined)[] = []
  const items: number[] = []
  const error: unknown = await (async () => {
    const ask = async (token: string | undefined) => {
      asked.push(token)
      return { value: pageOf(token), at: 0, source: 'one', dropped: 0 }
    }
    const list = pages(ask, undefined, 'items')
    for await (const { value } of list) items.push(...value.items)
  })().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return { asked, items, error }
}

describe('pages', () => {
  test.each([
    ['a missing token', {}],
    ['an undefined token', { nextPageToken: undefined }],
    ['an empty token', { nextPageToken: '' }],
  ])('end with %s', async (_, end) => {
    const { asked, items, error } = await read((token) =>
      token === undefined ? { items: [1], nextPageToken: 'a' } : { items: [2], ...end },
    )
    expect({ asked, items, error }).toEqual({ asked: [undefined, 'a'], items: [1, 2], error: undefined })
  })

  test('do not end with a short or an empty page', async () => {
    const list: Record<string, Page> = {
      first: { items: [1, 2, 3], nextPageToken: 'a' },
      a: { items: [], nextPageToken: 'b' },
      b: { items: [4], nextPageToken: 'c' },
      c: { items: [5, 6] },
    }
    const { items, error } = await read((token = 'first') => list[token]!)
    expect([items, error]).toEqual([[1, 2, 3, 4, 5, 6], undefined])
  })

  test.each([
    ['at once', ['a', 'a'], 2],
    ['later', ['a', 'b', 'a'], 3],
  ])('are refused when a token comes back %s', async (_, tokens, requests) => {
    let page = 0
    const { asked, items, error } = await read(() => ({ items: [page], nextPageToken: tokens[page++]! }))
    expect(error).toMatchObject({ code: 'bad_response' })
    // What had come before was given to the reader.
    expect([asked.length, items.length]).toEqual([requests, requests])
  })

  test.each([
    ['a thousand', (page: number) => [page], 1_000, 'the list does not end within 1000 pages'],
    ['ten empty ones in a row', () => [], 10, '10 pages in a row are empty, and the list goes on'],
    // The 3rd, the 6th and so on have something: no ten in a row are empty.
    ['a thousand, most of them empty', (page: number) => (page % 3 === 0 ? [page] : []), 1_000, 'within 1000 pages'],
  ])('are refused after %s', async (_, items, most, message) => {
    let page = 0
    const { asked, error } = await read(() => ({ items: items((page += 1)), nextPageToken: String(page) }))
    expect(error).toMatchObject({ code: 'too_large', message: expect.stringContaining(message) })
    expect(asked).toHaveLength(most)
  })

  test('are asked for only as far as they are read', async () => {
    let asked = 0
    for await (const _ of pages(async () => ({
      value: { nextPageToken: String((asked += 1)) },
      at: 0,
      source: 'one',
      dropped: 0,
    }))) {
      if (asked === 2) break
    }
    expect(asked).toBe(2)
  })
})

import { describe, expect, test } from 'vitest'
import { followHistory, type History, type HistoryOf, joinPages } from '../../../src/collectors/wallets/history.ts'

interface Item {
  id: string
  at?: number
}

const how: HistoryOf<Item, string[]> = {
  time: ({ at }) => at,
  id: ({ id }) => id,
  start: [],
  add: (totals, { id }) => [...totals, id],
}
async function* pagesOf(...pages: readonly (readonly Item[])[]): AsyncGenerator<readonly Item[]> {
  yield* pages
}
const items = (...times: readonly number[]): Item[] => times.map((at) => ({ id: `i${at}`, at }))
const from = (position: number, more: object = {}): History<string[]> => ({
  position: String(position),
  floor: String(position - 1),
  seen: [[`i${position}`, String(position)]],
  totals: [],
  gaps: 0,
  newest: { total: String(position), at: 0 },
  ...more,
})
const follow = (pages: readonly Item[][], before: History<string[]> | undefined, now = 0) =>
  followHistory(how, pagesOf(...pages), before, now)

describe('a list of events', () => {
  test.each([
    ['that is empty at first is known from its beginning', [[]], undefined, { position: '0', totals: [], gaps: 0 }],
    [
      'whose first items are all counted, and no gap',
      [items(9, 8), items(7)],
      from(0, { seen: [] }),
      { position: '9', totals: ['i7', 'i8', 'i9'], gaps: 0 },
    ],
    ['that stays empty', [[]], from(0, { seen: [] }), { position: '0', totals: [], gaps: 0 }],
    ['whose first run counts nothing', [items(9, 8)], undefined, { position: '9', totals: [], gaps: 0 }],
    ['with new items', [items(9, 8, 7)], from(7), { position: '9', totals: ['i8', 'i9'], gaps: 0 }],
    [
      'that goes back is refused, and what is known stays',
      [items(6, 5)],
      from(7, { totals: ['i7'], gaps: 2 }),
      { position: '7', totals: ['i7'], gaps: 2 },
    ],
    ['that does not reach back', [items(9, 8)], from(5), { position: '9', totals: ['i8', 'i9'], gaps: 1 }],
  ])('%s', async (_, pages, before, expected) => {
    const { history, problem, listed } = await follow(pages, before)
    expect(history).toMatchObject(expected)
    expect(problem).toBeUndefined()
    expect(listed).toEqual(pages.flat())
  })

  test.each([
    ['without a time', { id: 'x' }, undefined],
    ['of before 1970', { id: 'x', at: -1 }, undefined],
    ['of more than an hour ahead', { id: 'x', at: 3_601 }, 'future'],
    ['of the year 2286', { id: 'x', at: 9_999_999_999 }, 'future'],
  ])('leaves out and reports an item %s', async (_, item, reason) => {
    const { history, problem } = await follow([[item, ...items(9, 7)]], from(7))
    expect(history).toMatchObject({ position: '9', totals: ['i9'] })
    expect([problem?.code, problem?.reason]).toEqual([reason ? 'implausible_response' : 'bad_response', reason])
    // It has not moved the cursor past what comes next.
    const next = await follow([[item, ...items(10, 9, 7)]], history)
    expect(next.history).toMatchObject({ position: '10', totals: ['i9', 'i10'], gaps: 0 })
  })

  test('reports a gap for more new items than one run reads, even if the list is known from its beginning', async () => {
    const page = (at: number) => Array.from({ length: 1_000 }, (_, one) => ({ id: `${at}-${one}`, at }))
    const { history } = await follow([9, 8, 7, 6, 5, 4].map(page), from(0, { seen: [] }))
    expect([history.totals.length, history.gaps]).toEqual([5_000, 1])
  })
})

test.each<[string, readonly number[][], (page: readonly Item[]) => boolean, string[]]>([
  [
    'as one, up to the one that reaches back',
    [[9], [8, 3], [2], [1]],
    (page) => page.some(({ at = 9 }) => at < 5),
    ['i9 i8 i3', 'i2', 'i1'],
  ],
  ['one by one when the first reaches back', [[9], [8]], () => true, ['i9', 'i8']],
  ['as one when none reaches back', [[9], [], [8]], () => false, ['i9 i8']],
  ['none', [], () => false, ['']],
])('pages come %s', async (_, pages, reaches, expected) => {
  const read = []
  for await (const page of joinPages(pagesOf(...pages.map((times) => items(...times))), reaches)) {
    read.push(page.map(({ id }) => id).join(' '))
  }
  expect(read).toEqual(expected)
})

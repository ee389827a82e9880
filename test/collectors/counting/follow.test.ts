import { describe, expect, test } from 'vitest'
import { type Follow, follow, type Followed } from '../../../src/collectors/counting/follow.ts'

interface Item {
  at: number
  id: string
}

const how: Follow<Item, string[]> = {
  position: ({ at }) => BigInt(at),
  id: ({ id }) => id,
  start: [],
  add: (totals, { id }) => [...totals, id],
  limit: 100,
  remembered: 1_000,
  reach: 0n,
}

async function* pagesOf(...pages: readonly Item[][]): AsyncGenerator<Item[]> {
  yield* pages
}

const items = (...names: readonly string[]): Item[] => names.map((id) => ({ id, at: Number(/\d+/.exec(id)![0]) }))
const idsOf = ({ seen }: Followed<string[]>) => seen.map(([id]) => id)
/** All items below the position are over. */
const from = (position: string, ...seen: string[]): Followed<string[]> => ({
  position,
  floor: String(BigInt(position) - 1n),
  seen: seen.map((id) => [id, position]),
  totals: [],
  gaps: 0,
})

describe('follow', () => {
  test.each([
    [
      'the first run counts nothing',
      undefined,
      [items('9', '8')],
      { position: '9', floor: '8', seen: ['9'], totals: [], gaps: 0 },
    ],
    [
      'it remembers all ids at the newest position',
      undefined,
      [items('9a', '9b'), items('9c', '8')],
      { position: '9', floor: '8', seen: ['9c', '9b', '9a'], totals: [], gaps: 0 },
    ],
    [
      'late items of the cursor position are counted',
      from('7', '7a'),
      [items('7b', '7a', '6')],
      { position: '7', floor: '6', seen: ['7b', '7a'], totals: ['7b'], gaps: 0 },
    ],
    [
      'items that are repeated on the next page count once',
      from('5', '5'),
      [items('8', '7'), items('7', '6'), items('5', '4')],
      { position: '8', floor: '4', seen: ['5', '6', '7', '8'], totals: ['6', '7', '8'], gaps: 0 },
    ],
    [
      'the order inside a page does not matter',
      from('5', '5'),
      [items('6', '8', '5', '7', '4')],
      { position: '8', floor: '4', seen: ['5', '6', '7', '8'], totals: ['6', '7', '8'], gaps: 0 },
    ],
    [
      'heights beyond 2^53 keep apart',
      from('9007199254740993', 'x'),
      [[{ at: 0, id: 'y' }]],
      { position: '9007199254740993', floor: '9007199254740992', seen: ['x'], totals: [], gaps: 0 },
    ],
  ] as const)('%s', async (_, before, pages, expected) => {
    const after = await follow(how, pagesOf(...pages.map((page) => [...page])), before)
    expect(after && { ...after, seen: idsOf(after) }).toEqual(expected)
  })

  // The page after the limit holds the rest, or shows that there is more.
  test.each([
    [99, 99, 0],
    [100, 100, 0],
    [101, 101, 0],
    [109, 109, 0],
    [110, 100, 1],
    [111, 100, 1],
  ])('of a burst of %i items, with a limit of 100, pages of ten count %i: gaps %i', async (burst, counted, gaps) => {
    const list = Array.from({ length: burst + 1 }, (_, at) => ({ at: burst + 1 - at, id: String(burst + 1 - at) }))
    const pages = Array.from({ length: 13 }, (_, page) => list.slice(10 * page, 10 * page + 10))
    const result = await follow(how, pagesOf(...pages), from('1', '1'))
    expect([result?.totals.length, result?.gaps]).toEqual([counted, gaps])
  })
})

import * as fc from 'fast-check'
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
      'a list that ends before the cursor is a gap',
      from('5', '5'),
      [items('9', '8')],
      { position: '9', floor: '8', seen: ['9'], totals: ['8', '9'], gaps: 1 },
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

  test('counts every item once, whatever the bursts, page sizes and repetitions', async () => {
    const bursts = fc.array(fc.record({ add: fc.nat(40), sameSecond: fc.boolean() }), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(
        bursts,
        fc.integer({ min: 1, max: 9 }),
        fc.infiniteStream(fc.nat(9)),
        async (runs, size, dice) => {
          const list: Item[] = [{ at: 1, id: 'first' }]
          const grow = (add: number, sameSecond: boolean) => {
            for (let one = 0; one < add; one += 1) {
              const at = list.at(-1)!.at + (sameSecond && one > 0 ? 0 : 1)
              list.push({ at, id: `${at}-${list.length}` })
            }
          }
          /** Reads by offset while the list grows under the reader, so that pages overlap. */
          async function* read(): AsyncGenerator<Item[]> {
            const [growth] = dice.take(1)
            for (let offset = 0; offset < list.length; offset += size) {
              yield list.toReversed().slice(offset, offset + size)
              if (offset === 0) grow(growth!, false)
            }
          }
          let state = await follow({ ...how, limit: 10_000 }, read(), undefined)
          const begun = list.findLastIndex(({ at, id }) => String(at) === state!.position && idsOf(state!).includes(id))
          for (const { add, sameSecond } of runs) {
            grow(add, sameSecond)
            state = await follow({ ...how, limit: 10_000 }, read(), state)
          }
          const end = list.findLastIndex(({ id }) => idsOf(state!).includes(id))
          expect(state!.totals).toEqual(list.slice(begun + 1, end + 1).map(({ id }) => id))
          expect(state!.gaps).toBe(0)
        },
      ),
    )
  })
})

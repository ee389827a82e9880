// What the other scenarios count as wrong, and how all of them are played.

import { expect, test } from 'vitest'
import { growth, type Held, judgeEnd } from '../../tools/scenarios/month.ts'
import { createJudge } from '../../tools/scenarios/records.ts'
import { play, type Violation } from '../../tools/scenarios/runner.ts'

const saysOf = (violations: readonly Violation[]) => violations.map(({ subject, says }) => `${subject} ${says}`)

const held: Held = { heap: 100, rss: 300, descriptors: 40, timers: 3, sockets: 10, warnings: 0 }
const over = (last: Partial<Held>) => [held, held, held, held, { ...held, ...last }, { ...held, ...last }]

test.each([
  // A twentieth, and two megabytes more.
  ['heap', 106.9, []],
  ['heap', 107.1, ['heap grew from 100.0 to 107.1']],
  ['rss', 322.9, []],
  ['rss', 323.1, ['rss grew from 300.0 to 323.1']],
  ['descriptors', 49, ['descriptors grew from 40.0 to 49.0']],
  ['timers', 12, ['timers grew from 3.0 to 12.0']],
  ['sockets', 19, ['sockets grew from 10.0 to 19.0']],
  ['warnings', 1, ['warnings grew from 0.0 to 1.0']],
] as const)('a month: %s at the end: %d', (name, last, says) => {
  expect(saysOf(growth(over({ [name]: last })))).toEqual(says)
})

test('a month: one high measurement is no growth, a warning at any time is', () => {
  const high = { ...held, heap: 500, sockets: 90 }
  expect(growth([held, held, held, held, held, high])).toEqual([])
  expect(growth([1, 1, 1].map(() => ({ ...held, warnings: 1 })))).toMatchObject([{ subject: 'warnings' }])
})

const end = { held: over({}), left: { timers: 0, sockets: 0 }, runs: 100, expected: 100, orders: 5 }

test.each([
  [{}, []],
  [{ left: { timers: 1, sockets: 2 } }, ['1 timers are left after it stopped', '2 sockets are left after it stopped']],
  [{ runs: 89 }, ['89 of 100 runs']],
  [{ runs: 0, expected: 0 }, ['0 of 0 runs']],
  [{ orders: 0 }, ['nothing came or went']],
])('a month: %j', (change, says) => {
  expect(judgeEnd({ ...end, ...change }).map((one) => one.says)).toEqual(says)
})

const life = (positions: readonly number[], durable: number, more: object = {}) => ({
  instant: { phase: 'commit', transaction: 1, statement: 1, microseconds: 1 } as const,
  signal: 'SIGKILL' as const,
  said: '',
  durable: new Map(['a', 'b', 'c', 'd'].map((name) => [name, durable])),
  records: positions.map((position) => ({ position, sum: (position * (position + 1)) / 2 })),
  ...more,
})

test.each([
  ['what was said', life([3, 3, 3, 3], 3), []],
  ['one step more', life([4, 4, 4, 4], 3), []],
  ['less than was said', life([2, 2, 2, 2], 3), ['a is 2', 'b is 2', 'c is 2', 'd is 2']],
  ['half of a transaction', life([4, 4, 3, 3], 3), ['half of a transaction: 4, 4, 3, 3']],
  ['another end than by the kill', life([3, 3, 3, 3], 3, { signal: null, said: 'a defect' }), ['it ended with null']],
  [
    'a sum that is not that of its steps',
    life([0, 0, 0, 0], 0, { records: [{ position: 1, sum: 7 }] }),
    ['the sum of a'],
  ],
])('records: %s', async (_, seen, says) => {
  const found = (await createJudge().see(seen, 0)).map((one) => one.says)
  expect(found).toEqual(says.map((one) => expect.stringContaining(one) as string))
})

test('a play disturbs by the plan, looks in between, says the first violations of a kind, and ends its stage', async () => {
  const [events, said]: [string[], string[]] = [[], []]
  let now = 0
  const outcome = await play(
    {
      stage: {
        now: () => now,
        step: async () => void (now += 1_000),
        look: async () => (now === 3_000 ? undefined : now),
        end: async () => void events.push('end'),
      },
      disturbances: [4_000, 1_000].map((at) => ({ at, name: 'push', happen: () => events.push(`push at ${now}`) })),
      judges: [
        {
          see: (seen) => (seen > 4_000 ? [{ rule: 'high', subject: 'it', says: `is ${seen}` }] : []),
          atLast: () => [{ rule: 'last', subject: 'it', says: 'is over' }],
        },
      ],
      until: 10_000,
      every: 1_000,
      figures: () => ({ now }),
    },
    (line) => said.push(line),
  )
  expect(events).toEqual(['push at 1000', 'push at 4000', 'end'])
  expect(outcome).toEqual({
    violations: 7,
    byRule: { high: 6, last: 1 },
    looks: 9,
    happened: { push: 2 },
    figures: { now: 10_000 },
  })
  expect(said).toEqual(
    [5, 6, 7]
      .map((second) => `violation: high: it is ${second}000\n  second ${second}, after push at 4`)
      .concat('violation: last: it is over\n  second 10, after push at 4'),
  )
})

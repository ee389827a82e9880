// What the other scenarios count as wrong, and how all of them are played.

import { expect, test } from 'vitest'
import { growth, type Held, judgeEnd } from '../../tools/scenarios/month.ts'
import { createJudge as createLateness } from '../../tools/scenarios/neighbours.ts'
import { createJudge as createRecordJudge } from '../../tools/scenarios/records.ts'
import { createJudge as createPageJudge, type Row } from '../../tools/scenarios/restarts.ts'
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

const row = (during: string, status: string, labels: string, alert = 'StakewatchValidatorDisconnected'): Row => ({
  during,
  receiver: 'pager',
  status,
  alert,
  labels,
})
const page = row('', 'firing', 'fuji val-3')

test.each<[string, Row[], string[]]>([
  ['nothing, when all was sent before', [page, row('', 'resolved', 'fuji', 'StakewatchWalletLow')], []],
  ['the page once more', [page, row('Prometheus', 'firing', 'fuji val-3')], ['Prometheus']],
  ['its end', [page, row('Prometheus', 'resolved', 'fuji val-3')], ['Prometheus']],
  ['the end of another alert', [page, row('node-a', 'resolved', 'fuji', 'StakewatchWalletLow')], ['node-a']],
  ['no page', [], ['page']],
])('restarts: %s', async (_, rows, rules) => {
  const judge = createPageJudge()
  expect([...(await judge.see(rows, 0)), ...(await judge.atLast!())].map(({ rule }) => rule)).toEqual(rules)
})

const LABELS = 'network="fuji",collector="uptime"'
/** One task, whose interval is ten seconds, has succeeded at that second. */
const succeeded = (at: number) => `stakewatch_collector_interval_seconds{${LABELS}} 10
stakewatch_collector_last_success_timestamp_seconds{${LABELS}} ${at}
`

test.each<[string, number[], string[]]>([
  ['in time', [10, 20, 30, 41], []],
  ['late', [10, 20, 30, 43], [`${LABELS} came after 13 s, and alone after 10 s`]],
  ['never', [], [`${LABELS} came after Infinity s, and alone after 10 s`]],
])('neighbours: runs that come %s', async (_, successes, says) => {
  const judge = createLateness()
  const alone = [10, 20, 30, 40]
  for (const [at, second] of alone.entries())
    await judge.see([succeeded(second), successes[at] === undefined ? '' : succeeded(successes[at])], 200_000)
  expect(saysOf(await judge.atLast!())).toEqual(says)
})

test('neighbours: what never ran proves nothing', async () => {
  expect(saysOf(await createLateness().atLast!())).toEqual(['every task ran too seldom to be compared'])
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
  const found = (await createRecordJudge().see(seen, 0)).map((one) => one.says)
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

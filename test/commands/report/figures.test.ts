// Figures that the month of the end-to-end test does not have: fixed terms, ends that no one counted, payments without a counter.

import { describe, expect, test } from 'vitest'
import type { Answers } from '../../../src/commands/report/ask.ts'
import { reportOf } from '../../../src/commands/report/figures/figures.ts'
import { csvOf } from '../../../src/commands/report/formats/csv.ts'
import { markdownOf } from '../../../src/commands/report/formats/document.ts'
import { documentOf } from '../../../src/commands/report/formats/sections.ts'
import type { ValidatorId } from '../../../src/commands/report/figures/validators.ts'
import { gridOf, timeOf } from '../../../src/commands/report/figures/series.ts'
import { monthOf } from '../../../src/commands/report/month.ts'
import type { Labels } from '../../../src/lib/label-text.ts'
import { type Question, type QuestionName, questions } from '../../../src/commands/report/questions.ts'

const month = monthOf('2026-10', Date.UTC(2026, 11, 1) / 1_000)
const at = (day: number, hour = 0) => Date.UTC(2026, 9, day, hour) / 1_000
const id: ValidatorId = { network: 'fuji', subnet: 'primary', nodeId: 'NodeID-A', name: 'val-1' }
const member: ValidatorId = { ...id, subnet: 'orchard', nodeId: 'NodeID-B', name: 'val-2' }

type Given = Partial<Record<QuestionName, (time: number) => number | undefined>>

/** One series of each figure that is given, with the labels of the validator; none of the others. */
function answersOf({ network, subnet, nodeId }: ValidatorId, given: Given, labels = {}): Answers {
  const entries = Object.entries<Question>(questions).map(([name, question]) => {
    const grid = gridOf(month, question)
    const value = given[name as QuestionName]
    const values = Float64Array.from({ length: grid.length }, (_, index) => value?.(timeOf(grid, index)) ?? NaN)
    const series = value ? [{ labels: { network, subnet, node_id: nodeId, ...labels }, values }] : []
    return [name, { grid, series }]
  })
  return Object.fromEntries(entries) as Answers
}

const report = (one: ValidatorId, given: Given, labels = {}) =>
  reportOf(answersOf(one, given, labels), { month, validators: [one], isPartial: false })

/** From 20 September to 10 October. */
const term = (time: number, value: number) => (time <= at(10) ? value : undefined)
const TERM: Given = {
  start: (time) => term(time, at(-10)),
  end: (time) => term(time, at(10)),
  potentialReward: (time) => term(time, 20),
}

describe('a period that ended', () => {
  test('as a fixed term: whether its reward was paid is not known', () => {
    const { periods, rewards } = report(id, TERM).validators[0]!
    expect(periods).toMatchObject([{ ending: 'term_over', isRenewed: false, start: at(-10), end: at(10) }])
    const reward = { tokens: 20_000_000_000n, value: undefined }
    expect(rewards).toMatchObject({ earned: [], lost: [], undecided: [reward], pending: undefined })
  })

  test('as a renewed one, and no one counted how', () => {
    const { periods, rewards } = report(id, { ...TERM, nextPeriod: (time) => term(time, 86_400) }).validators[0]!
    expect(periods).toMatchObject([{ ending: 'unknown', isRenewed: true }])
    expect(rewards.undecided).toHaveLength(1)
  })

  test('before anything else of it was seen: it earned something that is not known', () => {
    const counted = { renewals: (time: number) => (time < at(10) ? 4 : 5) }
    const { periods, rewards } = report(id, counted, { outcome: 'compounded' }).validators[0]!
    expect(periods).toEqual([{ ending: 'compounded', isRenewed: true }])
    expect(rewards.earned).toEqual([undefined])
  })
})

test('a running period of which nothing was seen in the last hour is no pending reward', () => {
  const upTo = (last: number): Given => ({
    start: (time) => (time <= last ? at(1) : undefined),
    end: (time) => (time <= last ? at(40) : undefined),
    potentialReward: (time) => (time <= last ? 20 : undefined),
  })
  expect(report(id, upTo(at(30))).validators[0]!.rewards.pending).toBeUndefined()
  expect(report(id, upTo(at(32))).validators[0]!.rewards.pending).toEqual({ tokens: 20_000_000_000n, value: undefined })
})

// It falls by 0.1 a day from 10 on; on 11 October 5 come in. From 1 October to 1 November it falls by 3.1.
test('without a counter, what was paid in are the rises of the balance', () => {
  const balance = (time: number) => 10 - (0.1 * (time - at(1))) / 86_400 + (time > at(11) ? 5 : 0)
  const [l1] = report(member, { l1Balance: balance }).l1s
  // In the ten minutes of the payment it falls by 0.1 / 144, which the rise hides.
  const hidden = 694_444n
  expect(l1!.balances).toMatchObject([
    { first: 10_000_000_000n, last: 11_900_000_000n, paidIn: 5_000_000_000n - hidden, isCounted: false },
  ])
  expect(l1!.balances[0]!.spent).toBe(3_100_000_000n - hidden)
})

// Its counter is withdrawn once something is missed, and begins late where the data service is configured later.
test.each<[what: string, isCounted: (time: number) => boolean]>([
  ['up to 5 October', (time) => time < at(5)],
  ['from 15 October on', (time) => time > at(15)],
])('with a counter %s, what was paid in are the rises of the balance as well', (_, isCounted) => {
  const [l1] = report(member, {
    l1Balance: (time) => (time > at(11) ? 15 : 10),
    l1TopUps: (time) => (isCounted(time) ? 0 : undefined),
  }).l1s
  expect(l1!.balances).toMatchObject([{ paidIn: 5_000_000_000n, spent: 0n, isCounted: false }])
})

test('the best view of all nodes decides whether enough weight of an L1 is connected', () => {
  const { grid } = answersOf(member, {}).l1Margin
  const seen = (source: string, value: (time: number) => number) => ({
    labels: { network: 'fuji', subnet: 'orchard', source, threshold: 'blocks' },
    values: Float64Array.from({ length: grid.length }, (_, index) => value(timeOf(grid, index))),
  })
  const isolated = () => -0.5
  const well = (time: number) => (time > at(5) && time <= at(5, 1) ? -0.1 : 0.2)
  const silent = () => NaN
  const series = [seen('a', isolated), seen('b', well), seen('c', isolated), seen('d', silent)]
  const answers = { ...answersOf(member, {}), l1Margin: { grid, series } }
  const [l1] = reportOf(answers, { month, validators: [member], isPartial: false }).l1s
  expect(l1!.liveness).toMatchObject([{ times: { down: 3_600, unobserved: 0 }, lowestMargin: -0.1 }])
})

test('rewards without a price have no value, and not the value 0', () => {
  const paid = report(
    id,
    { rewardTokens: (time) => (time < at(9) ? 0 : 7), rewardValue: () => 0 },
    { address: 'treasury' },
  )
  expect(paid.wallets[0]!.paid).toMatchObject([{ tokens: 7_000_000_000n, values: [] }])
})

test('paid rewards say since when they are counted', () => {
  const since = (from: number) => {
    const given = { rewardTokens: (time: number) => (time < from ? undefined : 0) }
    const known = report(id, given, { address: 'treasury', reward_type: 'VALIDATOR' })
    const text = markdownOf(documentOf(known))
    return [known.wallets[0]!.since, /Rewards of wallet treasury are counted since .*/.exec(text)?.[0]]
  }
  expect(since(at(1))).toEqual([at(1), undefined])
  expect(since(at(20))).toEqual([at(20), 'Rewards of wallet treasury are counted since 2026-10-20 00:00.'])
})

test('how often paid rewards went uncounted is unknown where none are counted, and not 0', () => {
  const of = { address: 'treasury' }
  const [pending] = report(id, { walletPending: () => 3 }, of).wallets
  expect(pending).toMatchObject({ address: 'treasury', gaps: undefined })
  const [counted] = report(id, { walletPending: () => 3, rewardGaps: (time) => (time < at(9) ? 0 : 2) }, of).wallets
  expect(counted).toMatchObject({ gaps: 2 })
})

test.each([
  [member, 0],
  [{ ...member, subnet: 'primary' }, 1],
])('the empty balance of the machine in one L1 explains outages there alone: %o', (one, others) => {
  const down = (time: number) => (time > at(5) && time <= at(5, 1) ? 0 : 1)
  const alertname = 'StakewatchL1ValidatorInactive'
  const { firing } = answersOf(member, { firing: (time) => (down(time) === 0 ? 1 : undefined) }, { alertname })
  const known = { ...answersOf(one, { connected: down }, { source: 'node-a' }), firing }
  const [validator] = reportOf(known, { month, validators: [one], isPartial: false }).validators
  expect(validator!.outages.map(({ causes }) => causes.length)).toEqual([1 - others])
})

test('a report about one validator leaves out pages about the same machine in another subnet', () => {
  const alert = { alertname: 'StakewatchL1ValidatorInactive', severity: 'critical', validator: 'val-2' }
  const answers = answersOf(member, { firing: () => 1 }, alert)
  const pages = (one: ValidatorId) => reportOf(answers, { month, validators: [one], isPartial: true }).pages
  expect(pages(member)).toHaveLength(1)
  expect(pages({ ...member, subnet: 'primary', name: 'val-1' })).toEqual([])
})

test('the CSV distinguishes the validators of one machine, which have one name in each of its subnets', () => {
  const validators = [id, { ...id, subnet: 'orchard' }]
  const lines = csvOf(reportOf(answersOf(id, {}), { month, validators, isPartial: false })).split('\r\n')
  expect(new Set(lines).size).toBe(lines.length)
})

describe('turns', () => {
  const turns = (
    from: number,
    gaps: (time: number) => number = () => 0,
    known: readonly string[] = ['made', 'missed', 'unknown'],
  ) => {
    const answers = answersOf(id, {})
    const seriesOf = <L extends Labels>(
      question: QuestionName,
      labels: L,
      value: (time: number) => number | undefined,
    ) => {
      const { grid } = answers[question]
      const values = Float64Array.from({ length: grid.length }, (_, index) => {
        const time = timeOf(grid, index)
        return (time < from ? undefined : value(time)) ?? NaN
      })
      return { labels: { network: 'fuji', chain: 'c-chain', ...labels }, values }
    }
    const own = { subnet: 'primary', node_id: id.nodeId }
    const of = (outcome: string, each: number) =>
      seriesOf('turns', { ...own, outcome }, (time) => 7 + each * Math.max(0, Math.floor((time - at(1)) / 86_400)))
    const counted: Answers = {
      ...answers,
      turns: {
        ...answers.turns,
        series: [of('made', 40), of('missed', 2), of('unknown', 0)].filter(({ labels }) =>
          known.includes(labels.outcome),
        ),
      },
      turnGaps: { ...answers.turnGaps, series: [seriesOf('turnGaps', {}, gaps)] },
    }
    return reportOf(counted, { month, validators: [id], isPartial: false }).validators[0]!.turns
  }

  // 31 days.
  test('of a whole month', () => {
    expect(turns(at(-1))).toEqual([
      { chain: 'c-chain', made: 31 * 40, missed: 31 * 2, unknown: 0, since: at(1), gaps: 0 },
    ])
  })

  // What the first sample already has was counted at an unknown time.
  test('that are counted since its middle, with a gap', () => {
    expect(turns(at(16, 12), (time) => (time < at(20) ? 3 : 4))).toEqual([
      { chain: 'c-chain', made: 16 * 40, missed: 16 * 2, unknown: 0, since: at(16, 12), gaps: 1 },
    ])
  })

  test('of which only the builders are known: how many were missed is unknown, and not 0', () => {
    const [made] = turns(at(-1), () => 0, ['made'])
    expect(made).toMatchObject({ made: 31 * 40, missed: undefined, unknown: undefined, gaps: 0 })
  })

  test('that were not counted in it are no turns, and not the number 0', () => {
    expect(turns(at(40))).toEqual([])
  })
})

test('figures that no series answers are missing by the kind of the validators', () => {
  const missing = (one: ValidatorId) => report(one, {}).missing.map(({ figure }) => figure)
  expect(missing(id)).toContain('stake')
  expect(missing(id)).not.toContain('liveness of L1s')
  expect(missing(member)).toContain('liveness of L1s')
  expect(missing(member)).not.toContain('stake')
})

test.each([
  ['were loaded all month', { alertname: 'StakewatchWatchdog' }, at(1), 0],
  ['were loaded on the second', { alertname: 'StakewatchWatchdog' }, at(2), 86_400],
  ['have no watchdog', { alertname: 'StakewatchDown' }, at(1), 31 * 86_400],
])('what paged is unknown until the rules are loaded: they %s', (_, labels, from, pagesUnobserved) => {
  const firing = (time: number) => (time > from ? 1 : undefined)
  expect(report(id, { firing }, labels)).toMatchObject({ pagesUnobserved })
})

test('what shards asked of one service adds up, and what replicas of a shard asked does not', () => {
  const grid = gridOf(month, questions.requests)
  const instances = { 'a:1': '0', 'b:1': '1', 'c:1': '1' }
  const of = (values: (index: number) => number, more: (ordinal: string) => Labels, { length } = grid) =>
    Object.entries(instances).map(([instance, ordinal]) => ({
      labels: { network: 'fuji', source: 'glacier', job: 'stakewatch', instance, ...more(ordinal) },
      values: Float64Array.from({ length }, (_, index) => values(index)),
    }))
  const hours = gridOf(month, questions.shards)
  const answers: Answers = {
    ...answersOf(id, { upstreamUp: () => 1 }, { source: 'glacier' }),
    requests: {
      grid,
      series: of(
        (index) => index,
        () => ({ code: 'ok' }),
      ),
    },
    rateLimited: {
      grid,
      series: of(
        (index) => index,
        () => ({}),
      ),
    },
    shards: {
      grid: hours,
      series: of(
        () => 1,
        (ordinal) => ({ shard_ordinal: ordinal }),
        hours,
      ),
    },
  }
  const { upstreams } = reportOf(answers, { month, validators: [], isPartial: false })
  const steps = (month.until - month.start) / 300
  expect(upstreams[0]!.requests).toEqual({ sent: 2 * steps, failed: 0, rateLimited: 2 * steps })
})

test.each([
  ['a reload that takes an operation away counts nothing again', (index: number) => index, 100],
  ['a restart begins at 0', (index: number) => index % 5_000, 5_100],
])('%s', (_, received, expected) => {
  const { grid } = answersOf(id, {}).requests
  const of = (labels: Labels, value: (index: number) => number) => ({
    grid,
    series: [{ labels, values: Float64Array.from({ length: grid.length }, (__, index) => value(index)) }],
  })
  const target = { job: 'stakewatch', instance: 'a:1' }
  const asked = { network: 'fuji', source: 'glacier' }
  const answers: Answers = {
    ...answersOf(id, { upstreamUp: () => 1 }, { source: 'glacier' }),
    // Of 9,000 requests 5,000 remain, and 100 follow.
    requests: of({ ...asked, ...target, code: 'ok' }, (index) =>
      index < 5_000 ? 9_000 : 5_000 + 100 * Number(index > 6_000),
    ),
    received: of(target, received),
  }
  const { upstreams } = reportOf(answers, { month, validators: [], isPartial: false })
  expect(upstreams[0]!.requests!.sent).toBe(expected)
})

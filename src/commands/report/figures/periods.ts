// The periods of a validator in the month, how they ended, and what they earned.

import { greatest, median } from '../../../lib/statistics.ts'
import type { Labels } from '../../../lib/label-text.ts'
import type { Answers } from '../ask.ts'
import { HOUR } from '../../../lib/seconds.ts'
import type { Month } from '../month.ts'
import { LONGEST_GAP } from '../questions.ts'
import { countsBy, having, knownOf, knownWith } from './series.ts'
import { type Money, moneyAt, pendingRewards, tokens } from './values.ts'

/** How a period ended: by stakewatch's count of renewals, or a fixed term that was over. */
const endings = ['compounded', 'not_compounded', 'removed', 'left', 'unseen', 'term_over', 'unknown'] as const
export type Ending = (typeof endings)[number]

export interface Period {
  start?: number | undefined
  end?: number | undefined
  /** Undefined while it goes on. */
  ending: Ending | undefined
  /** Whether the validation renews itself; a fixed term does not. */
  isRenewed: boolean
  reward?: Money | undefined
  /** Seconds of downtime that the network allows in the period, and what most observers say is left of them. */
  allowance?: number | undefined
  budget?: number | undefined
  /** What most observers said last about the reward. */
  state?: string | undefined
  /** When it was last seen going on. */
  seen?: number | undefined
}

/** Times at which a period was seen. */
interface Seen {
  start: number
  end: number
  times: ReadonlySet<number>
}

export function periodsOf(answers: Answers, labels: Labels, month: Month): Period[] {
  const periods = seenPeriods(answers, labels, month).map((seen) => ({
    seen,
    period: periodOf(seen, answers, labels, month),
  }))
  const counted = endingsOf(answers, labels, month)
  const unseen: Period[] = []
  for (const { time, ending } of counted) {
    const over = periods.findLast(({ seen }) => seen.end <= time + LONGEST_GAP)
    if (over && (over.period.ending === undefined || over.period.ending === 'unknown')) over.period.ending = ending
    // Only its end was counted.
    else unseen.push({ isRenewed: true, ending })
  }
  const isOfMonth = ({ seen, period }: (typeof periods)[number]) =>
    seen.end > month.start || counted.some(({ ending }) => ending === period.ending)
  return [...unseen, ...periods.filter(isOfMonth).map(({ period }) => period)]
}

function seenPeriods(answers: Answers, labels: Labels, month: Month): Seen[] {
  const ends = new Map(knownWith(answers.end, labels, month).map(({ time, value }) => [time, value]))
  const pairs = knownWith(answers.start, labels, month).flatMap(({ time, value }) => {
    const end = ends.get(time)
    return end === undefined ? [] : [{ time, start: value, end }]
  })
  return [...Map.groupBy(pairs, ({ start }) => start)].map(([start, some]) => ({
    start,
    end: some.at(-1)!.end,
    times: new Set(some.map(({ time }) => time)),
  }))
}

function periodOf({ start, end, times }: Seen, answers: Answers, labels: Labels, month: Month): Period {
  const within = (name: 'potentialReward' | 'nextPeriod') =>
    knownWith(answers[name], labels, month).filter(({ time }) => times.has(time))
  const opinions = (name: 'requiredRatio' | 'budget' | 'rewardState') =>
    having(answers[name], labels).flatMap((one) =>
      knownOf(one, answers[name].grid, month)
        .filter(({ time }) => times.has(time))
        .map(({ time, value }) => ({ time, value, state: one.labels['state'] })),
    )
  const required = newest(opinions('requiredRatio')).map(({ value }) => value)
  const reward = within('potentialReward').at(-1)?.value
  const isRenewed = within('nextPeriod').length > 0
  const isOver = end <= month.until
  return {
    start,
    end,
    isRenewed,
    ending: isOver ? (isRenewed ? 'unknown' : 'term_over') : undefined,
    reward:
      reward === undefined
        ? undefined
        : moneyAt(tokens(reward), labels['network']!, Math.min(end, month.until), answers.price, month),
    allowance: required.length === 0 ? undefined : Math.round((1 - greatest(required)) * (end - start) * 1_000) / 1_000,
    budget: median(newest(opinions('budget')).map(({ value }) => value)) ?? undefined,
    state: majorityOf(newest(opinions('rewardState')).map(({ state = '' }) => state)),
    seen: greatest([...times]),
  }
}

/** The opinions of the last time at which there are any. */
function newest<T extends { time: number }>(opinions: readonly T[]): T[] {
  const last = greatest(opinions.map(({ time }) => time))
  return opinions.filter(({ time }) => time === last)
}

/** What more than half of them say. */
function majorityOf(opinions: readonly string[]): string | undefined {
  const groups = [...Map.groupBy(opinions, (one) => one)]
  const [most] = groups.find(([, some]) => some.length > opinions.length / 2) ?? []
  return most ?? (opinions.length > 0 ? 'disputed' : undefined)
}

/** In the order of their times. */
function endingsOf({ renewals }: Answers, labels: Labels, month: Month): { time: number; ending: Ending }[] {
  const own = { ...renewals, series: having(renewals, labels) }
  return countsBy(own, month, ['outcome'])
    .flatMap(({ labels: { outcome }, rises }) =>
      rises.map(({ time }) => ({ time, ending: endings.find((one) => one === outcome) ?? ('unknown' as const) })),
    )
    .toSorted((a, b) => a.time - b.time)
}

/** What the periods earned, lost, and may still earn. */
export function rewardsOf(periods: readonly Period[], answers: Answers, labels: Labels, month: Month) {
  const of = (...wanted: readonly Ending[]) =>
    periods.filter(({ ending }) => ending !== undefined && wanted.includes(ending)).map(({ reward }) => reward)
  const running = periods.find(({ ending, seen = 0 }) => ending === undefined && seen > month.until - HOUR)
  return {
    /** Of periods that ended in the month and were followed by another one. */
    earned: of('compounded', 'not_compounded'),
    lost: of('removed'),
    /** Of periods that ended and of which no metric says whether they were rewarded. */
    undecided: of('left', 'unseen', 'term_over', 'unknown'),
    /** What the running period earns if the network grants it. */
    pending: running?.reward,
    /** The same by the data service: own rewards, and fees of delegators. */
    listed: pendingRewards(answers.pendingReward, labels, answers.price, month),
  }
}

// What was so in each minute of the month: known from samples, or unobserved. Nothing is filled in but short gaps.

import { DAY, MINUTE } from '../../../lib/seconds.ts'
import type { Month } from '../month.ts'
import { LONGEST_GAP } from '../questions.ts'
import { type Answer, type Grid, indexOf, type Series } from './series.ts'

/** `out`: the validator was not in the set, so there was nothing to observe. */
export const states = ['unobserved', 'down', 'up', 'out'] as const
export type State = (typeof states)[number]
/** One state for each minute, as its index in `states`. */
export type Timeline = Uint8Array

const [UNOBSERVED, DOWN, UP, OUT] = [0, 1, 2, 3]

/** Seconds in each state; their sum is the length of the month so far. */
export type Times = Readonly<Record<State, number>>

export interface Span {
  /** Seconds since the epoch. */
  from: number
  until: number
}

/**
 * The value of each minute of the month. A gap of at most five minutes between two samples has the value of the first one, as
 * scrapes may be that rare; a longer one is unknown as a whole.
 */
export function minutesOf({ values }: Series, grid: Grid, { start, until }: Month): Float64Array {
  const held = Float64Array.from(values)
  for (let at = 1, last = -1; at < held.length; at += 1) {
    if (!Number.isNaN(held[at - 1]!)) last = at - 1
    const isEndOfGap = !Number.isNaN(held[at]!) && last >= 0 && last < at - 1
    if (isEndOfGap && (at - last - 1) * grid.step <= LONGEST_GAP) held.fill(held[last]!, last + 1, at)
  }
  // The value of a time is that of the minute before it.
  return held.slice(indexOf(grid, start) + 1, indexOf(grid, until) + 1)
}

/** Of one observer. */
export const observed = (minutes: Float64Array): Timeline =>
  Uint8Array.from(minutes, (value) => (Number.isNaN(value) ? UNOBSERVED : value > 0 ? UP : DOWN))

/** What most observers saw: as in the alert rules, it is down if fewer than half of those that report are connected. */
export function voteOf(observers: readonly Timeline[], minutes: number): Timeline {
  return Uint8Array.from({ length: minutes }, (_, at) => {
    const votes = observers.map((one) => one[at]!).filter((state) => state !== UNOBSERVED)
    if (votes.length === 0) return UNOBSERVED
    return votes.filter((state) => state === UP).length < 0.5 * votes.length ? DOWN : UP
  })
}

/** Without an observation, a validator that is known not to be in the set is out of it. */
export function outOfSet(timeline: Timeline, isInSet: Timeline | undefined): Timeline {
  return timeline.map((state, at) => (state === UNOBSERVED && isInSet?.[at] === DOWN ? OUT : state))
}

export function timesOf(timeline: Timeline): Times {
  const seconds = [0, 0, 0, 0]
  for (const state of timeline) seconds[state]! += MINUTE
  return Object.fromEntries(states.map((state, at) => [state, seconds[at]!])) as Times
}

/** The share of the observed time in which it was up; undefined if it was never observed. */
export function ratioOf({ up, down }: Times): number | undefined {
  return up + down === 0 ? undefined : up / (up + down)
}

/** Each day that has begun, by the seconds of its start. */
export function daysOf(timeline: Timeline, { start }: Month): { start: number; times: Times }[] {
  const minutes = DAY / MINUTE
  return Array.from({ length: Math.ceil(timeline.length / minutes) }, (_, day) => ({
    start: start + day * DAY,
    times: timesOf(timeline.slice(day * minutes, (day + 1) * minutes)),
  }))
}

export interface Outage extends Span {
  /** Whether its beginning and its end were seen: an outage that begins or ends in an unobserved time may be longer. */
  isWhole: boolean
}

export function outagesOf(timeline: Timeline, { start }: Month): Outage[] {
  return runsOf(timeline, (state) => state === DOWN).map(([from, to]) => ({
    from: start + from * MINUTE,
    until: start + to * MINUTE,
    isWhole: [from - 1, to].every((at) => [UP, OUT].includes(timeline[at] ?? UNOBSERVED)),
  }))
}

/** When a value was above 0: from its first sample to its last one, each by the end of its minute. */
export function spansOf(minutes: Float64Array, { start }: Month): Span[] {
  return runsOf(minutes, (value) => value > 0).map(([from, to]) => ({
    from: start + (from + 1) * MINUTE,
    until: start + to * MINUTE,
  }))
}

/** The beginning of each run, and the index after its end. */
function runsOf(values: Uint8Array | Float64Array, isPart: (value: number) => boolean): [from: number, to: number][] {
  const runs: [number, number][] = []
  for (let at = 0; at < values.length; at += 1) {
    if (!isPart(values[at]!)) continue
    const open = runs.at(-1)
    if (open && open[1] === at) open[1] = at + 1
    else runs.push([at, at + 1])
  }
  return runs
}

export const minutesIn = ({ start, until }: Month) => (until - start) / MINUTE

/** The timelines of some series of an answer. */
export const timelinesOf = ({ grid }: Answer, series: readonly Series[], month: Month): Timeline[] =>
  series.map((one) => observed(minutesOf(one, grid, month)))

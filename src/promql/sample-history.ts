// The samples that expressions read: current ones, and past ones as far back as any expression needs. Samples are taken in rounds.
// A series is stored as its changes, so that constant series cost nothing.

import { entryOf } from '../lib/entry.ts'
import { inSteps, type Steps } from '../lib/steps.ts'
import { type Expression, partsOf } from './expression.ts'
import type { Samples } from './evaluate.ts'
import type { Window } from './over-time.ts'
import { keyOf, type Run, type Sample, type Series, type Vector } from './sample.ts'

/** Older samples are stale (milliseconds). */
const LOOKBACK = 300_000

/** How far back each metric is read, by name, in milliseconds; 0 for only the current samples. */
export type Reach = ReadonlyMap<string, number>

/** How far back expressions read. */
export function reachOf(expressions: readonly Expression[]): Reach {
  const reach = new Map<string, number>()
  const visit = (one: Expression, before: number): void => {
    if (one.kind === 'selector') {
      reach.set(one.name, Math.max(reach.get(one.name) ?? 0, before + one.offset))
      return
    }
    const own = one.kind === 'range' ? one.range : one.kind === 'subquery' ? one.range + one.offset : 0
    for (const part of partsOf(one)) visit(part, before + own)
  }
  for (const one of expressions) visit(one, 0)
  return reach
}

export interface History extends Samples {
  /** Starts a round: replaces all metrics except recorded ones. A missing metric is gone. */
  take(time: number, now: ReadonlyMap<string, Vector>): Steps
  /** Stores the result of a recording rule in this round. */
  record(name: string, samples: Vector): Steps
  /** The samples of the last round; of a recording rule that was not evaluated in it yet, those of the one before. */
  newest: (name: string) => Vector
  /** Number of stored series and changes, which determine the memory use. */
  size(): { series: number; changes: number }
}

interface Past {
  name: string
  labels: Sample['labels']
  /** Round numbers; -1 - number where the series disappeared. */
  rounds: number[]
  values: number[]
}

interface State {
  reach: Reach
  longest: number
  /** Times of the remembered rounds, in milliseconds. */
  times: number[]
  /** Number of the first remembered round. */
  first: number
  live: ReadonlyMap<string, Vector>
  /** The last result of each recording rule, and the round of it: the rule may not have run yet in this round. */
  recorded: Map<string, { round: number; taken: number; samples: Vector }>
  past: Map<string, Map<string, Past>>
  /** Those of series that are new in this round: many metrics have the same ones. */
  keys: Map<string, string>
}

const isGone = (round: number) => round < 0
const roundOf = (entry: number) => (entry < 0 ? -1 - entry : entry)

export function createHistory(reach: Reach): History {
  const state: State = {
    reach,
    longest: Math.max(0, ...reach.values()),
    times: [],
    first: 0,
    live: new Map(),
    recorded: new Map(),
    keys: new Map(),
    past: new Map([...reach].filter(([, back]) => back > 0).map(([name]) => [name, new Map()])),
  }
  return {
    *take(time, now) {
      state.times.push(time)
      state.live = now
      state.keys = new Map()
      for (const name of state.past.keys())
        if (!state.recorded.has(name)) yield* append(state, name, now.get(name) ?? [])
      yield* forget(state, time)
    },
    *record(name, samples) {
      state.recorded.set(name, { round: newestRound(state), taken: state.times.at(-1)!, samples })
      if (state.past.has(name)) yield* append(state, name, samples)
    },
    at: (name, time) => at(state, name, time),
    newest: (name) => at(state, name, state.times.at(-1) ?? 0),
    over: (name, window) => over(state, name, window),
    size() {
      const all = [...state.past.values()].flatMap((series) => [...series.values()])
      return { series: all.length, changes: all.reduce((sum, { rounds }) => sum + rounds.length, 0) }
    },
  }
}

const newestRound = ({ first, times }: State) => first + times.length - 1

/** The samples of the last round. */
function* append(state: State, name: string, samples: Vector): Steps {
  const series = state.past.get(name)!
  const round = newestRound(state)
  const seen = new Set<string>()
  yield* inSteps(samples, ({ labels, value }) => {
    const key = keyOf(labels)
    seen.add(key)
    const known = series.get(key)
    if (!known) {
      const shared = entryOf(state.keys, key, () => key)
      series.set(shared, { name, labels, rounds: [round], values: [value] })
    } else if (isGone(known.rounds.at(-1)!) || !Object.is(known.values.at(-1), value)) change(known, round, value)
  })
  for (const [key, known] of series) if (!seen.has(key) && !isGone(known.rounds.at(-1)!)) change(known, -1 - round, 0)
}

function change({ rounds, values }: Past, entry: number, value: number): void {
  rounds.push(entry)
  values.push(value)
}

/** Drops rounds that no expression reads any more. */
function* forget(state: State, now: number): Steps {
  const { times, past, reach } = state
  for (const [name, series] of past) {
    yield
    const least = state.first + indexAfter(times, now - reach.get(name)! - LOOKBACK - 1)
    for (const [key, { rounds, values }] of series) {
      const kept = rounds.findLastIndex((entry) => roundOf(entry) <= least)
      if (kept > 0) {
        rounds.splice(0, kept)
        values.splice(0, kept)
      }
      if (rounds.length === 1 && isGone(rounds[0]!) && roundOf(rounds[0]!) < least) series.delete(key)
    }
  }
  const gone = indexAfter(times, now - state.longest - LOOKBACK - 1)
  times.splice(0, gone)
  state.first += gone
}

/** Index of the first later time. */
function indexAfter(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! > time) high = middle
    else low = middle + 1
  }
  return low
}

function at(state: State, name: string, time: number): Vector {
  const { times, live, recorded, past, first } = state
  const newest = times.at(-1) ?? -Infinity
  if (time >= newest) {
    const found = recorded.get(name) ?? { taken: newest, samples: live.get(name) ?? [] }
    return found.taken < time - LOOKBACK ? [] : found.samples
  }
  const index = indexAfter(times, time) - 1
  const taken = times[index]
  if (taken === undefined || taken < time - LOOKBACK) return []
  return [...(past.get(name)?.values() ?? [])].flatMap(({ labels, rounds, values }) => {
    const entry = rounds.findLastIndex((one) => roundOf(one) <= first + index)
    return entry < 0 || isGone(rounds[entry]!) ? [] : { name, labels, value: values[entry]! }
  })
}

function* over(state: State, name: string, { from, to }: Window): Steps<readonly Series[]> {
  const { times, past, first, recorded } = state
  const [low, newest] = [indexAfter(times, from - 1), indexAfter(times, to) - 1]
  const high = Math.min(newest, (recorded.get(name)?.round ?? Infinity) - first)
  if (low > high) return []
  const found: Series[] = []
  yield* inSteps(past.get(name)?.values() ?? [], (one) => {
    const runs = runsOf(one, state, first + low, first + high)
    if (runs.length > 0) found.push({ name, labels: one.labels, runs })
  })
  return found
}

function runsOf({ rounds, values }: Past, { times, first }: State, low: number, high: number): Run[] {
  const timeOf = (round: number) => times[round - first]!
  const runs: Run[] = []
  const before = rounds.findLastIndex((one) => roundOf(one) <= low)
  for (let at = Math.max(0, before); at < rounds.length; at += 1) {
    const begin = Math.max(low, roundOf(rounds[at]!))
    const next = rounds[at + 1]
    const end = Math.min(high, next === undefined ? high : roundOf(next) - 1)
    if (begin > high) break
    if (isGone(rounds[at]!) || begin > end) continue
    runs.push({ value: values[at]!, first: timeOf(begin), last: timeOf(end), count: end - begin + 1 })
  }
  return runs
}

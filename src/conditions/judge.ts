// Judges every condition of every object, in rounds. It remembers what is a problem and since when, so that a problem whose inputs
// are missing stays one: unknown is not resolved.

import type { Thresholds } from '../alerts/thresholds.ts'
import { entryOf } from '../lib/entry.ts'
import type { Labels } from '../lib/label-text.ts'
import { type Board, identityOf, keyOf, type Kind, type Thing } from './board.ts'
import { type Condition, nameOf } from './condition.ts'
import { WINDOW_READS } from './maintenance.ts'
import { runsToRepeat } from './out-of-date.ts'
import { labelsOfTrack, PART, remember, type Remembering, STEP } from './remember.ts'
import {
  bySubnet,
  type Ended,
  type Judged,
  type Judging,
  type Memory,
  type Named,
  settle,
  type State,
} from './settle.ts'
import type { Track } from './track.ts'
import { metricsIn, type Remembered, type Round, type View, viewOf } from './view.ts'
import { nodeVotes, weightOnline } from '../self/judge-metrics.ts'
import type { Scalar } from '../metrics/define.ts'
import { isL1, onlineShare } from './l1-weights.ts'
import { isNode, isVoting } from './nodes.ts'

export interface Verdicts {
  /** The judged numbers. */
  measured: readonly { metric: Measure['metric']; labels: Labels; value: number }[]
  judged: readonly Judged[]
  /** What has been a problem lately. */
  over: readonly (Ended & { name: string })[]
  /** Objects by network, condition and state. */
  counts: ReadonlyMap<string, ReadonlyMap<string, Readonly<Record<State, number>>>>
  /** Conditions that could not be judged because of a defect, with the error: what was a problem stays one. */
  failed: ReadonlyMap<Condition, string>
  /** The labels of runs whose last answers do not count, and which should not wait for their turn. */
  toRepeat: readonly Labels[]
}

/** What a restart must not forget; plain data. */
export interface Remains {
  problems: Readonly<Record<string, Readonly<Record<string, Memory>>>>
  tracks: Readonly<Record<string, Readonly<Record<string, Track>>>>
}

interface JudgeState extends Remembering {
  conditions: readonly Named[]
  problems: Map<string, Map<string, Memory>>
  ended: Map<string, Map<string, Ended>>
  /** Until when, by the steady clock, what is unknown may only not have been polled yet: a restart must not begin `for` again. */
  graceUntil: number
  /** Whether it continues what another judge left, and has not judged yet. */
  isResumed: boolean
  /** What each condition found in this round, before anything explained it, by object. */
  raw: Map<string, Set<string>>
}

/** The metrics that the judge of these reads. */
export const metricsReadBy = (conditions: readonly Condition[]): ReadonlySet<string> =>
  new Set([
    ...conditions.flatMap(({ reads, details }) => [...metricsIn(reads), ...(details?.reads ?? [])]),
    ...WINDOW_READS,
  ])

export type Judge = ReturnType<typeof createJudge>

/** In the order of evaluation: what explains others comes first. */
function causesFirst(all: readonly Condition[]): Condition[] {
  const byName = new Map(all.map((one) => [nameOf(one), one]))
  const ordered = new Set<Condition>()
  const add = (one: Condition): void => {
    for (const cause of one.explainedBy ?? []) {
      const known = byName.get(cause)
      if (known) add(known)
    }
    ordered.add(one)
  }
  for (const one of all) add(one)
  return [...ordered]
}

/** `more` is remembered for others to read. */
export function createJudge(all: readonly Condition[], more: readonly Remembered[] = []) {
  const conditions = causesFirst(all)
  const named = conditions.map((condition) => ({
    name: nameOf(condition),
    condition,
    kinds: Object.entries(condition.judge) as unknown as Named['kinds'],
  }))
  const state: JudgeState = {
    conditions: named,
    remembered: [
      ...new Set([...conditions.flatMap(({ reads }) => reads.filter((one) => typeof one !== 'string')), ...more]),
    ],
    problems: new Map(),
    ended: new Map(),
    tracks: new Map(),
    lookedAt: new Map(),
    graceUntil: -Infinity,
    isResumed: false,
    raw: new Map(),
  }
  function forgetProblems(isGone: (labels: Labels) => boolean): void {
    for (const some of state.problems.values()) {
      for (const [key, { labels }] of some) if (isGone(labels)) some.delete(key)
    }
  }
  return {
    /** `now` is in seconds since the epoch, `steady` in seconds of a clock that nothing sets. */
    judge(board: Board, now: number, limits: Thresholds, waits?: Waits, steady?: number): Verdicts {
      const steps = judgeAll(state, board, now, limits, waits, steady)
      let step = steps.next()
      while (!step.done) step = steps.next()
      return step.value
    },
    /** The same in steps, between which the board must not change. */
    steps: (board: Board, now: number, limits: Thresholds, waits?: Waits, steady?: number): Steps =>
      judgeAll(state, board, now, limits, waits, steady),
    /** For a look at the facts of an object between rounds. */
    round: (board: Board, now: number, limits: Thresholds): Round => roundOf(state, board, now, limits),
    problems: (): Remains['problems'] => plain(state.problems),
    tracks: (): Remains['tracks'] => plain(state.tracks),
    /** What is remembered of an object, by the key of the object, or of one of its parts. */
    track: ({ name }: Remembered, key: string, part?: string): Track => trackIn(state, name, key, part),
    /** Forgets what is remembered of objects with these labels, and of what such a node reports on a validator. */
    forget(isOther: (labels: Labels) => boolean): void {
      forgetProblems(isOther)
      for (const some of state.tracks.values()) {
        for (const key of some.keys()) if (isOther(labelsOfTrack(key))) some.delete(key)
      }
    },
    forgetProblems,
    /** Continues from what another judge left. */
    resume({ problems, tracks }: Remains): void {
      state.problems = maps(problems)
      state.tracks = maps(tracks)
      state.isResumed = true
    },
  }
}

/** Other times before an alert fires, by alert (seconds). */
export type Waits = ReadonlyMap<string, number>

const NO_WAITS: Waits = new Map()

export type Steps = Generator<void, Verdicts>

/** After a restart everything is polled at once, and the slowest answers take this long (seconds). */
const GRACE = 120
/** For so long it is published that a problem has ended: several evaluations of any Prometheus (seconds). */
const ENDED_FOR = 15 * 60
const NOTHING: Track = []

const plain = <Value>(maps: Map<string, Map<string, Value>>) =>
  Object.fromEntries([...maps].map(([name, map]) => [name, Object.fromEntries(map)]))
const maps = <Value>(records: Readonly<Record<string, Readonly<Record<string, Value>>>>) =>
  new Map(Object.entries(records).map(([name, record]) => [name, new Map(Object.entries(record))]))

function* judgeAll(
  state: JudgeState,
  board: Board,
  now: number,
  limits: Thresholds,
  waits = NO_WAITS,
  steady = now,
): Steps {
  const { conditions, problems, raw } = state
  raw.clear()
  if (state.isResumed) state.graceUntil = steady + GRACE
  state.isResumed = false
  const isGrace = steady < state.graceUntil
  const round = roundOf(state, board, now, limits)
  const byKind = new Map<Kind, readonly View[]>()
  const viewsOf = (kind: Kind) =>
    entryOf(byKind, kind, () => Array.from(board.things(kind), (thing) => viewOf(round, thing)))
  const ordered = new Map<Kind, readonly View[]>()
  const inOrderOf = (kind: Kind) => entryOf(ordered, kind, () => viewsOf(kind).toSorted(bySubnet))
  yield* remember(state, now, viewsOf)
  const judged: Judged[] = []
  const counts: Counts = new Map()
  const failed = new Map<Condition, string>()
  for (const one of conditions) {
    const { name, condition } = one
    const before = entryOf(problems, name, () => new Map<string, Memory>())
    const wait = waits.get(condition.alert) ?? condition.for
    const found = entryOf(raw, name, () => new Set<string>())
    const ended = entryOf(state.ended, name, () => new Map<string, Ended>())
    const judging: Judging = { wait, isGrace, one, before, after: new Map(), ended, found, judged: [] }
    try {
      yield* judgeOne(judging, round, condition.isOfMachine ? inOrderOf : viewsOf, counts)
      problems.set(name, judging.after)
      for (const [key, { at }] of ended) {
        if (judging.after.has(key) || Math.abs(now - at) > ENDED_FOR) ended.delete(key)
      }
      for (const each of judging.judged) judged.push(each)
    } catch (error) {
      failed.set(condition, String(error))
      for (const count of counts.values()) count.delete(name)
      for (const [key, memory] of before) {
        found.add(key.split(PART)[0]!)
        judged.push({ condition, state: 'problem', ...memory })
      }
    }
    yield
  }
  const measured = measures.flatMap(({ metric, of, read }) =>
    viewsOf(of).flatMap((view) => {
      const value = read(view)
      return value === undefined ? [] : { metric, labels: view.labels, value }
    }),
  )
  const toRepeat = viewsOf('network').flatMap(runsToRepeat)
  const over = [...state.ended].flatMap(([name, some]) => Array.from(some.values(), (one) => ({ name, ...one })))
  return { measured, judged, over, counts, failed, toRepeat }
}

function roundOf(state: JudgeState, board: Board, now: number, limits: Thresholds): Round {
  const earlier = new Map(state.problems)
  const fired = new Map<string, ReadonlyMap<string, readonly Labels[]>>()
  return {
    board,
    now,
    limits,
    trackOf: ({ name }, { key }, part) => trackIn(state, name, key, part),
    isProblem: (name, key) => state.raw.get(name)?.has(key) === true,
    fired: (name, key) => entryOf(fired, name, () => firedOf(earlier.get(name))).get(key) ?? [],
    views: new Map(),
    nothing: new Map(),
  }
}

function trackIn({ tracks }: JudgeState, name: string, key: string, part: string | undefined): Track {
  return tracks.get(name)?.get(part === undefined ? key : key + PART + part) ?? NOTHING
}

type Counts = Map<string, Map<string, Record<State, number>>>

function* judgeOne(
  judging: Judging,
  round: Round,
  viewsOf: (kind: Kind) => readonly View[],
  counts: Counts,
): Generator<void, void> {
  const { one, before, isGrace } = judging
  let done = 0
  let counted: { network: string; count: Record<State, number> } | undefined
  for (const [kind, judge] of one.kinds) {
    for (const views of [viewsOf(kind), silent(round, kind, one.condition, before, isGrace)]) {
      // By index: in a generator an iterator makes an object for each view.
      for (let at = 0; at < views.length; at += 1) {
        const view = views[at]!
        const state = settle(judging, view, judge)
        const network = view.thing.labels['network'] ?? ''
        // Objects of a network mostly follow each other.
        if (network !== counted?.network) counted = { network, count: countOf(counts, network, one.name) }
        counted.count[state] += 1
        done += 1
        if (done % STEP === 0) yield
      }
    }
  }
}

/** The objects of problems that may be held, of which nothing is reported any more. */
function silent(
  round: Round,
  kind: Kind,
  { heldBy }: Condition,
  before: ReadonlyMap<string, Memory>,
  isGrace: boolean,
): readonly View[] {
  if (before.size === 0 || (heldBy === undefined && !isGrace)) return []
  const gone = new Map<string, Thing>()
  for (const [name, { labels }] of before) {
    const key = keyOf(kind, labels)
    if (name.split(PART, 1)[0] !== key || round.board.thing(kind, labels) !== undefined) continue
    gone.set(key, { kind, key, labels: identityOf(kind, labels), series: [] })
  }
  return Array.from(gone.values(), (thing) => viewOf(round, thing))
}

function countOf(counts: Counts, network: string, name: string) {
  return entryOf(
    entryOf(counts, network, () => new Map<string, Record<State, number>>()),
    name,
    noCounts,
  )
}

const noCounts = (): Record<State, number> => ({
  ok: 0,
  problem: 0,
  quiet: 0,
  explained: 0,
  unknown: 0,
  not_applicable: 0,
})

/** The labels of the problems of each object that have lasted for `for`. */
function firedOf(problems: ReadonlyMap<string, Memory> = new Map()): ReadonlyMap<string, readonly Labels[]> {
  const fired = [...problems].filter(([, { hasFired }]) => hasFired)
  const byObject = Map.groupBy(fired, ([key]) => key.split(PART)[0]!)
  return new Map([...byObject].map(([key, parts]) => [key, parts.map(([, { labels }]) => labels)]))
}

interface Measure {
  metric: Scalar<never>
  of: Kind
  /** Undefined where there is nothing to measure. */
  read: (view: View) => number | undefined
}

/** Judged numbers that pages, panels and texts show, as ordinary gauges. */
const measures: readonly Measure[] = [
  { metric: nodeVotes, of: 'node', read: (node) => (isNode(node) ? Number(node.fact(isVoting)) : undefined) },
  { metric: weightOnline, of: 'subnet', read: (subnet) => (isL1(subnet) ? onlineShare(subnet) : undefined) },
]

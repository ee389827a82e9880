// Judges every condition of every object, in rounds. It remembers what is a problem and since when, so that a problem whose inputs
// are missing stays one: unknown is not resolved.

import type { Thresholds } from '../alerts/thresholds.ts'
import { entryOf } from '../lib/entry.ts'
import type { Labels } from '../lib/label-text.ts'
import { type Board, identityOf, type Kind, keyOf, type Thing } from './board.ts'
import { type Condition, nameOf, type Verdict } from './condition.ts'
import { inMaintenance } from './maintenance.ts'
import { type Measure, measures } from './measures.ts'
import { machinesOf } from './nodes.ts'
import { runsToRepeat } from './out-of-date.ts'
import { isKnown, note, type Track } from './track.ts'
import { type Remembered, type Round, type View, viewOf } from './view.ts'

export const states = ['ok', 'problem', 'quiet', 'explained', 'unknown', 'not_applicable'] as const

type State = (typeof states)[number]

/** A condition of an object or of one of its parts that is not simply fine. Times are seconds since the epoch. */
export interface Judged {
  condition: Condition
  labels: Labels
  /** `quiet`: a problem inside a maintenance window. `explained`: a consequence of another condition. */
  state: 'problem' | 'quiet' | 'explained'
  /** The last measured value. */
  value: number
  /** Since when it has been a problem. */
  since: number
  /** Since when its inputs have been unknown. */
  unknownSince?: number | undefined
  /** The condition that explains it. */
  explainedBy?: string | undefined
}

export interface Verdicts {
  /** The judged numbers. */
  measured: readonly { metric: Measure['metric']; labels: Labels; value: number }[]
  judged: readonly Judged[]
  /** Objects by network, condition and state. */
  counts: ReadonlyMap<string, ReadonlyMap<string, Readonly<Record<State, number>>>>
  /** Conditions that could not be judged because of a defect, with the error: what was a problem stays one. */
  failed: ReadonlyMap<Condition, string>
  /** The labels of runs whose last answers do not count, and which should not wait for their turn. */
  toRepeat: readonly Labels[]
}

/** A problem between rounds. */
interface Memory {
  labels: Labels
  value: number
  since: number
  /** Whether it has lasted for `for`. */
  hasFired: boolean
  unknownSince?: number | undefined
}

/** What a restart must not forget; plain data. */
export interface Remains {
  problems: Readonly<Record<string, Readonly<Record<string, Memory>>>>
  tracks: Readonly<Record<string, Readonly<Record<string, Track>>>>
}

interface Room {
  conditions: readonly Named[]
  remembered: readonly Remembered[]
  problems: Map<string, Map<string, Memory>>
  tracks: Map<string, Map<string, Track>>
  /** In which of its periods each was last looked at. */
  lookedAt: Map<string, number>
  /** Until when what is unknown may only not have been polled yet: a restart must not begin `for` again. */
  graceUntil: number
  /** Whether it continues what another judge left, and has not judged yet. */
  isResumed: boolean
  /** What each condition found in this round, before anything explained it, by object. */
  raw: Map<string, Set<string>>
}

interface Named {
  name: string
  condition: Condition
  kinds: readonly (readonly [Kind, NonNullable<Condition['judge'][Kind]>])[]
}

export type Judge = ReturnType<typeof createJudge>

/** In the order of evaluation: what explains others comes first. `more` is remembered for others to read. */
export function createJudge(conditions: readonly Condition[], more: readonly Remembered[] = []) {
  const named = conditions.map((condition) => ({
    name: nameOf(condition),
    condition,
    kinds: Object.entries(condition.judge) as unknown as Named['kinds'],
  }))
  const state: Room = {
    conditions: named,
    remembered: [...new Set([...conditions.flatMap(({ remembers = [] }) => remembers), ...more])],
    problems: new Map(),
    tracks: new Map(),
    lookedAt: new Map(),
    graceUntil: -Infinity,
    isResumed: false,
    raw: new Map(),
  }
  return {
    /** `now` is in seconds since the epoch. */
    judge(board: Board, now: number, limits: Thresholds, waits?: Waits): Verdicts {
      const steps = judgeAll(state, board, now, limits, waits)
      let step = steps.next()
      while (!step.done) step = steps.next()
      return step.value
    },
    /** The same in steps, between which the board must not change. */
    steps: (board: Board, now: number, limits: Thresholds, waits?: Waits): Steps =>
      judgeAll(state, board, now, limits, waits),
    problems: (): Remains['problems'] => plain(state.problems),
    tracks: (): Remains['tracks'] => plain(state.tracks),
    /** What is remembered of an object, by the key of the object. */
    track: ({ name }: Remembered, key: string): Track => state.tracks.get(name)?.get(key) ?? NOTHING,
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
const PART = '\r'
const NOTHING: Track = []

const plain = <Value>(maps: Map<string, Map<string, Value>>) =>
  Object.fromEntries([...maps].map(([name, map]) => [name, Object.fromEntries(map)]))
const maps = <Value>(records: Readonly<Record<string, Readonly<Record<string, Value>>>>) =>
  new Map(Object.entries(records).map(([name, record]) => [name, new Map(Object.entries(record))]))

function* judgeAll(state: Room, board: Board, now: number, limits: Thresholds, waits = NO_WAITS): Steps {
  const { conditions, problems, raw } = state
  raw.clear()
  if (state.isResumed) state.graceUntil = now + GRACE
  state.isResumed = false
  const isGrace = now < state.graceUntil
  const fired = firedOf(problems)
  const round: Round = {
    board,
    now,
    limits,
    trackOf: ({ name }, { key }, part) =>
      state.tracks.get(name)?.get(part === undefined ? key : key + PART + part) ?? NOTHING,
    isProblem: (name, key) => raw.get(name)?.has(key) === true,
    fired: (name, key) => fired.get(name)?.get(key) ?? [],
    views: new Map(),
    nothing: new Map(),
  }
  const byKind = new Map<Kind, readonly View[]>()
  const viewsOf = (kind: Kind) =>
    entryOf(byKind, kind, () => Array.from(board.things(kind), (thing) => viewOf(round, thing)))
  const ordered = new Map<Kind, readonly View[]>()
  const inOrderOf = (kind: Kind) => entryOf(ordered, kind, () => viewsOf(kind).toSorted(bySubnet))
  yield* remember(state, round, viewsOf)
  const judged: Judged[] = []
  const counts: Counts = new Map()
  const failed = new Map<Condition, string>()
  for (const one of conditions) {
    const { name, condition } = one
    const before = entryOf(problems, name, () => new Map<string, Memory>())
    const wait = waits.get(condition.alert) ?? condition.for
    const found = entryOf(raw, name, () => new Set<string>())
    const judging: Judging = { wait, isGrace, one, before, after: new Map(), found, judged: [] }
    try {
      judgeOne(judging, round, condition.isOfMachine ? inOrderOf : viewsOf, counts)
      problems.set(name, judging.after)
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
  return { measured, judged, counts, failed, toRepeat }
}

type Counts = Map<string, Map<string, Record<State, number>>>

function judgeOne(judging: Judging, round: Round, viewsOf: (kind: Kind) => readonly View[], counts: Counts): void {
  const { one, before, isGrace } = judging
  let counted: { network: string; count: Record<State, number> } | undefined
  for (const [kind, judge] of one.kinds) {
    for (const view of [...viewsOf(kind), ...silent(round, kind, one.condition, before, isGrace)]) {
      const state = settle({ ...judging, view, judge })
      const network = view.thing.labels['network'] ?? ''
      // Objects of a network mostly follow each other.
      if (network !== counted?.network) counted = { network, count: countOf(counts, network, one.name) }
      counted.count[state] += 1
    }
  }
}

/** The objects of problems that may be held, of which nothing is reported any more. */
function silent(
  round: Round,
  kind: Kind,
  { whenUnknown }: Condition,
  before: ReadonlyMap<string, Memory>,
  isGrace: boolean,
): readonly View[] {
  if (before.size === 0 || (whenUnknown !== 'hold' && !isGrace)) return []
  const gone = new Map<string, Thing>()
  for (const [name, { labels }] of before) {
    const key = keyOf(kind, labels)
    if (name.split(PART, 1)[0] !== key || round.board.thing(kind, labels) !== undefined) continue
    gone.set(key, { kind, key, labels: identityOf(kind, labels), readings: new Map() })
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

/** The labels of the problems of each object that have lasted for `for`, by condition. */
const firedOf = (problems: Room['problems']): ReadonlyMap<string, ReadonlyMap<string, readonly Labels[]>> =>
  new Map(
    [...problems].map(([name, some]) => {
      const fired = [...some].filter(([, { hasFired }]) => hasFired)
      const byObject = Map.groupBy(fired, ([key]) => key.split(PART)[0]!)
      return [name, new Map([...byObject].map(([key, parts]) => [key, parts.map(([, { labels }]) => labels)]))]
    }),
  )

/** Tracks of objects that are gone go with them. Nothing is kept of those of which nothing is known. */
function* remember(
  { remembered, tracks, lookedAt }: Room,
  { now }: Round,
  viewsOf: (kind: Kind) => readonly View[],
): Generator<void, void> {
  for (const one of remembered) {
    if (!isTime(one, now, lookedAt)) continue
    const before = tracks.get(one.name) ?? new Map<string, Track>()
    const after = new Map<string, Track>()
    const take = (key: string, value: number | undefined) => {
      const track = before.get(key) ?? []
      if (track.length === 0 && value === undefined) return
      note(track, now, value, one.for)
      if (value !== undefined || isKnown(track)) after.set(key, track)
    }
    const withParts = new Set<string>()
    for (const view of viewsOf(one.of)) {
      const { thing } = view
      const value = one.read(view)
      if (typeof value !== 'object') {
        take(thing.key, value)
        continue
      }
      withParts.add(thing.key)
      for (const [part, number] of value) take(thing.key + PART + part, number)
    }
    if (withParts.size > 0) {
      // A part without a value is unknown now, and what was known of it counts for as long as it is remembered.
      for (const key of before.keys()) {
        if (after.has(key)) continue
        const [object = '', part] = key.split(PART)
        if (part !== undefined && withParts.has(object)) take(key, undefined)
      }
    }
    tracks.set(one.name, after)
    yield
  }
}

/** Whether another of its periods has begun since it was last looked at. */
function isTime({ name, every }: Remembered, now: number, lookedAt: Map<string, number>): boolean {
  if (every === undefined) return true
  const period = Math.floor(now / every)
  if (lookedAt.get(name) === period) return false
  lookedAt.set(name, period)
  return true
}

interface Judging {
  /** Seconds for which it must be a problem before its alert fires. */
  wait: number
  isGrace: boolean
  one: Named
  before: Map<string, Memory>
  after: Map<string, Memory>
  found: Set<string>
  judged: Judged[]
}

interface Settling extends Judging {
  view: View
  judge: NonNullable<Condition['judge'][Kind]>
}

/** Judges one object, with its parts; returns the state that counts for it, which is that of its worst part. */
function settle(settling: Settling): State {
  const { one, view, judge, before } = settling
  const { key } = view.thing
  const result = judge(view)
  if (!('parts' in result)) return settleOne(settling, key, view.labels, result)
  let worst: State = result.others.state
  const seen = new Set<string>()
  for (const { labels, verdict } of result.parts) {
    const part = key + PART + partKey(one.condition, labels)
    seen.add(part)
    const state = settleOne(settling, part, { ...view.labels, ...labels }, verdict)
    if (state !== 'ok' && rank[state] > rank[worst]) worst = state
  }
  if (result.others.state === 'unknown') {
    for (const [part, { labels }] of before) {
      if (!part.startsWith(key + PART) || seen.has(part)) continue
      if (settleOne(settling, part, labels, result.others) === 'problem') worst = 'problem'
    }
  }
  return worst
}

/** How much a state says of an object with several parts. */
const rank: Readonly<Record<State, number>> = {
  not_applicable: 0,
  ok: 1,
  unknown: 2,
  explained: 3,
  quiet: 4,
  problem: 5,
}

const partKey = ({ parts = [] }: Condition, labels: Labels) => parts.map((name) => labels[name] ?? '').join(PART)

function settleOne(settling: Settling, key: string, labels: Labels, verdict: Verdict): State {
  const { wait, isGrace, one, view, before, after, found, judged } = settling
  const { condition } = one
  const known = before.get(key)
  const isUnknown = verdict.state === 'unknown' || (isGrace && verdict.state === 'not_applicable')
  const isHeld = isGrace || (condition.whenUnknown === 'hold' && known?.hasFired)
  if (isUnknown && known && isHeld) {
    if (isQuiet(condition, view, labels)) return 'quiet'
    const held = { ...known, unknownSince: known.unknownSince ?? view.now }
    after.set(key, held)
    found.add(view.thing.key)
    judged.push({ condition, state: 'problem', ...held })
    return 'problem'
  }
  if (verdict.state !== 'problem') return verdict.state
  found.add(view.thing.key)
  const { value } = verdict
  // A clock that was set back: it has not been a problem since later than now.
  const since = Math.min(known?.since ?? view.now, view.now)
  const hasFired = known?.hasFired ?? false
  const explainedBy = explainerOf(one, view, labels)
  const state = explainedBy !== undefined ? 'explained' : isQuiet(condition, view, labels) ? 'quiet' : 'problem'
  if (state === 'problem') {
    after.set(key, { labels, value, since, hasFired: hasFired || view.now - since >= wait })
  }
  judged.push({ condition, labels, state, value, since: state === 'problem' ? since : view.now, explainedBy })
  return state
}

/** The condition that explains this one, which may be the same one of another validation of the machine. */
function explainerOf({ name, condition }: Named, view: View, labels: Labels): string | undefined {
  const { explainedBy = [], isOfMachine } = condition
  const cause = explainedBy.find((one) => isExplained(one, view, labels))
  if (cause !== undefined || !isOfMachine || view.thing.kind !== 'validator') return cause
  const machine = view.of('network').fact(machinesOf).get(labels['node_id']!) ?? []
  // Those that come after it have not been judged yet.
  return [...explainedBy, name].find((one) =>
    machine.some(({ thing }) => thing !== view.thing && view.round.isProblem(one, thing.key)),
  )
}

/** The primary network comes first. */
function bySubnet(one: View, other: View): number {
  const [a, b] = [subnetOf(one), subnetOf(other)]
  return a < b ? -1 : a > b ? 1 : 0
}

const subnetOf = ({ labels: { subnet = '' } }: View) => (subnet === 'primary' ? '' : subnet)

/** The cause may be a condition of the same object, of its node or of its network. */
function isExplained(name: string, view: View, labels: Labels): boolean {
  const { isProblem } = view.round
  if (isProblem(name, view.thing.key)) return true
  return isProblem(name, keyOf('node', labels)) || isProblem(name, keyOf('network', labels))
}

function isQuiet({ quietFor }: Condition, view: View, labels: Labels): boolean {
  return quietFor !== undefined && inMaintenance(quietFor, view, labels)
}

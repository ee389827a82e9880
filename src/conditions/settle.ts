// Judges one object by one condition: whether it is a problem, whether a window quiets it, and what explains it.

import type { Labels } from '../lib/label-text.ts'
import { type Kind, keyOf } from './board.ts'
import { type Condition, type Judgement, NOT_APPLICABLE, OK, type Part, unknown, type Verdict } from './condition.ts'
import type { Said } from './details.ts'
import { inMaintenance } from './maintenance.ts'
import { machinesOf } from './nodes.ts'
import { PART } from './remember.ts'
import { runningCollectors } from './runs.ts'
import type { View } from './view.ts'

export const states = ['ok', 'problem', 'quiet', 'explained', 'unknown', 'not_applicable'] as const

export type State = (typeof states)[number]

/** A condition of an object or of one of its parts that is not simply fine. Times are seconds since the epoch. */
export interface Judged extends Said {
  condition: Condition
  labels: Labels
  /** `quiet`: a problem inside a maintenance window. `explained`: a consequence of another condition. */
  state: 'problem' | 'quiet' | 'explained'
  /** The last measured value. */
  value: number
  /** Since when it has been a problem. */
  since: number
  /** The condition that explains it. */
  explainedBy?: string | undefined
}

/** A problem between rounds. */
export interface Memory {
  labels: Labels
  value: number
  since: number
  /** Whether it has lasted for `for`. */
  hasFired: boolean
  unknownSince?: number | undefined
}

/** A problem that is none any more: it is over, inside a window, or a consequence. */
export interface Ended {
  labels: Labels
  at: number
}

export interface Named {
  name: string
  condition: Condition
  kinds: readonly (readonly [Kind, Judgement])[]
}

export interface Judging {
  /** Seconds for which it must be a problem before its alert fires. */
  wait: number
  isGrace: boolean
  one: Named
  before: ReadonlyMap<string, Memory>
  /** The same by object, once an object has needed it. */
  beforeByObject?: ReadonlyMap<string, readonly (readonly [key: string, Memory])[]>
  after: Map<string, Memory>
  ended: Map<string, Ended>
  found: Set<string>
  judged: Judged[]
}

/** Judges one object, with its parts; returns the state that counts for it, which is that of its worst part. */
export function settle(judging: Judging, view: View, judge: Judgement): State {
  const { one, isGrace } = judging
  const { key } = view.thing
  const result = judge(view)
  const isWhole = !('parts' in result)
  const others = isWhole ? result : result.others
  const parts = isWhole ? NO_PARTS : result.parts
  const missing = isGrace && (others ?? NOT_APPLICABLE).state === 'not_applicable' ? NOT_POLLED : (others ?? OK)
  let worst = isWhole ? settleOne(judging, view, key, view.labels, result) : (others?.state ?? 'ok')
  if (parts.length === 0 && judging.before.size === 0) return worst
  const seen = new Set<string>()
  for (const { labels, verdict } of parts) {
    const part = key + PART + partKey(one.condition, labels)
    seen.add(part)
    const state = settleOne(judging, view, part, { ...view.labels, ...labels }, verdict)
    if (state !== 'ok' && rank[state] > rank[worst]) worst = state
  }
  for (const [part, { labels }] of problemsBefore(judging, key)) {
    if (part === key || seen.has(part)) continue
    if (settleOne(judging, view, part, labels, missing) === 'problem') worst = 'problem'
  }
  return worst
}

const NO_PARTS: readonly Part[] = []
/** What is fine without being listed says nothing before it is polled. */
const NOT_POLLED = unknown('it has not been polled since the restart')

/** The problems of an object and its parts in the last round. */
function problemsBefore(judging: Judging, key: string) {
  judging.beforeByObject ??= Map.groupBy(judging.before, ([part]) => part.split(PART, 1)[0]!)
  return judging.beforeByObject.get(key) ?? []
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

function settleOne(judging: Judging, view: View, key: string, labels: Labels, verdict: Verdict): State {
  const { wait, isGrace, one, before, after, found, judged } = judging
  const { condition } = one
  const known = before.get(key)
  const isUnknown = verdict.state === 'unknown' || (isGrace && verdict.state === 'not_applicable')
  if (isUnknown && known && (isGrace || isHeld(one, known, view))) {
    if (isQuiet(condition, view, labels)) return 'quiet'
    // A clock that was set back, here and below: neither has been so since later than now.
    const [since, unknownSince] = [Math.min(known.since, view.now), Math.min(known.unknownSince ?? view.now, view.now)]
    // A reload or a restart may have renamed the validator.
    const held = { ...known, labels: { ...known.labels, ...view.labels }, since, unknownSince }
    after.set(key, held)
    found.add(view.thing.key)
    judged.push({ condition, state: 'problem', ...held })
    return 'problem'
  }
  if (verdict.state !== 'problem') {
    if (known && !isUnknown) noteEnd(judging, view, key, known)
    return verdict.state
  }
  found.add(view.thing.key)
  const { value } = verdict
  const since = Math.min(known?.since ?? view.now, view.now)
  const hasFired = known?.hasFired ?? false
  const explainedBy = explainerOf(one, view, labels)
  const state = explainedBy !== undefined ? 'explained' : isQuiet(condition, view, labels) ? 'quiet' : 'problem'
  if (state !== 'problem') {
    if (known) noteEnd(judging, view, key, known)
    judged.push({ condition, labels, state, value, since: view.now, explainedBy })
    return state
  }
  after.set(key, { labels, value, since, hasFired: hasFired || view.now - since >= wait })
  judged.push({ condition, labels, state, value, since, details: condition.details?.of(view, labels) })
  return state
}

/** Of what is wrong with an instance, no replica can say that it is over. */
function noteEnd({ ended }: Judging, { thing, now }: View, key: string, { labels }: Memory): void {
  if (thing.kind !== 'instance') ended.set(key, { labels, at: now })
}

function isHeld({ condition: { heldBy = [] } }: Named, { hasFired }: Memory, view: View): boolean {
  return hasFired && heldBy.some((one) => view.of('network').fact(runningCollectors).has(one))
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
export function bySubnet(one: View, other: View): number {
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

// The published state of the daemon: rendered sample lines by unit. A scrape joins pieces and renders nothing.

import { ageOf, earliest, isOver, type Moment, NEVER } from '../lib/clock.ts'
import { type Described, type Family, type Format, renderHeader } from './exposition.ts'
import { type Change, type FromPoller, type TaskStatus, type UpstreamError, upstreamUnit } from './publication.ts'

/** How far a network has got: its tasks, those that were attempted, and those with data that is still true. */
interface Progress {
  network: string
  planned: number
  attempted: number
  /** Only what came from an upstream's answer counts as data. */
  withData: number
}

export type Snapshot = ReturnType<typeof createSnapshot>

interface Unit {
  names: readonly string[]
  expiresAt: Moment
  task: string | undefined
}

/** What is published of a metric. */
interface Part {
  headers: Readonly<Record<Format, Uint8Array>>
  lines: readonly Uint8Array[]
}

/** Of one moment for all formats: a counter must not fall from a scrape in one format to the next in another. */
interface Body {
  parts: readonly Part[]
  /** Made when the first scraper asks for the format. */
  pieces: Partial<Record<Format, readonly Uint8Array[]>>
  version: number
  builtAt: Moment
  /** Until it may be replaced by a newer one (milliseconds). */
  lasts: number
  /** Set if the body has this unit only. */
  only: string | undefined
}

interface State {
  /** The unit of the process itself; all others come from the poller. */
  own: string
  /** By metric, in the order of the body. */
  published: Map<string, { headers: Readonly<Record<Format, Uint8Array>>; units: Map<string, Family> }>
  units: Map<string, Unit>
  statuses: Map<string, TaskStatus>
  /** By unit. */
  errors: Map<string, UpstreamError>
  body?: Body | undefined
  /** No unit expires before this. Replaced and dropped units may have left it too early. */
  earliestExpiry: Moment
  version: number
  tickedAt?: Moment | undefined
  withdrawals: number
  planned: Readonly<Record<string, number>>
  plannedAt?: Moment | undefined
  isAttempted: boolean
}

/**
 * A body is rebuilt at most this often, however many scrapers there are (milliseconds): once in this time for each part of
 * this many bytes, as joining and compressing it takes longer, and at last in the longest time.
 */
const REBUILD_AFTER = 1_000
const REBUILT_BYTES = 2 * 1_048_576
const REBUILD_AT_LAST = 5_000
/** A scheduler without a tick for this long has stalled: no answer takes as long to process (milliseconds). */
const STALLED_AFTER = 60_000
/** A task that waits for its budget or a slow upstream delays readiness no longer than this (milliseconds). */
const SETTLED_AFTER = 30_000

const encoder = new TextEncoder()
const ends = { text: [], openmetrics: [encoder.encode('# EOF\n')] }

/**
 * `catalogue` holds every metric that may be published, in the order of the body. `own` is the unit of the process itself:
 * all others come from the poller.
 */
export function createSnapshot(catalogue: readonly Described[], own: string) {
  const state: State = {
    own,
    published: new Map(
      catalogue.map((metric) => {
        const text = encoder.encode(renderHeader(metric, 'text'))
        const openmetrics = encoder.encode(renderHeader(metric, 'openmetrics'))
        return [metric.name, { headers: { text, openmetrics }, units: new Map() }]
      }),
    ),
    units: new Map(),
    statuses: new Map(),
    errors: new Map(),
    earliestExpiry: NEVER,
    version: 0,
    withdrawals: 0,
    planned: {},
    isAttempted: false,
  }
  return {
    /** One step per key: a scrape sees the old set or the new one, never a mixture. */
    accept: (message: FromPoller) => accept(state, message),
    /**
     * The body of a scrape, in pieces: the same array until something changes. It never holds expired samples, even if the
     * poller stopped. `only` names the metrics that are wanted; without it the body has all.
     */
    body: (format: Format, now: Moment, only?: ReadonlySet<string>): readonly Uint8Array[] =>
      bodyOf(state, format, now, only),
    /** How many series of these metrics are served. */
    count(now: Moment, names: ReadonlySet<string>): number {
      const unit = expire(state, now)
      const served = [...names].flatMap((name) => familiesOf(state, name, unit))
      return served.reduce((sum, { series }) => sum + series, 0)
    },
    status: (): readonly TaskStatus[] => [...state.statuses.values()],
    /** The last error of each upstream that has failed. */
    errors: (): readonly UpstreamError[] => [...state.errors.values()],
    /** How often something was withdrawn without a replacement: what was derived from it before is no longer true. */
    withdrawals(now: Moment): number {
      expire(state, now)
      return state.withdrawals
    },
    /** One row for each network, in the order in which they were planned. */
    progress: (now: Moment): readonly Progress[] => progressOf(state, now),
    /** Whether every task was attempted once or had half a minute for it. A reload does not change that. */
    isSettled: (now: Moment): boolean =>
      state.isAttempted || (state.plannedAt !== undefined && ageOf(state.plannedAt, now) >= SETTLED_AFTER),
    /** Whether the scheduler started to tick and stopped: then none of its samples are served. */
    isStalled: (now: Moment): boolean => isStalled(state, now),
  }
}

function accept(state: State, message: FromPoller): void {
  switch (message.kind) {
    case 'status':
      state.statuses.set(message.status.key, message.status)
      return noteAttempts(state)
    case 'planned':
      state.planned = message.tasks
      state.plannedAt ??= message.at
      return noteAttempts(state)
    case 'error':
      return void state.errors.set(upstreamUnit(message.error), message.error)
    case 'tick':
      state.tickedAt = message.at
      // A body that no scraper asks for again would keep everything of its moment in memory.
      if (state.body && !isCurrent(state, state.body, message.at)) state.body = undefined
      return undefined
    case 'changes':
      state.version += 1
      for (const one of message.changes) change(state, one)
      // A body with what is no longer configured is never served again, even if it is a moment old.
      state.body = undefined
      state.withdrawals += 1
      return undefined
    default:
      state.version += 1
      return change(state, message)
  }
}

function change(state: State, message: Change): void {
  if (message.kind === 'publish') return publish(state, message)
  state.withdrawals += 1
  for (const key of message.keys) {
    remove(state, key)
    state.statuses.delete(key)
    state.errors.delete(key)
  }
}

function publish(state: State, { key, families, expiresAt, task }: Extract<Change, { kind: 'publish' }>): void {
  const { published, units } = state
  const unknown = families.find(({ name }) => !published.has(name))
  if (unknown) throw new Error(`metric ${unknown.name} is not in the catalogue`)
  const names = new Set(families.map(({ name }) => name))
  for (const name of units.get(key)?.names ?? []) if (!names.has(name)) published.get(name)!.units.delete(key)
  // In place, so that a unit keeps its position in the body.
  for (const family of families) published.get(family.name)!.units.set(key, family)
  units.set(key, { names: [...names], expiresAt, task })
  state.earliestExpiry = earliest([state.earliestExpiry, expiresAt])
}

function remove({ published, units }: State, key: string): void {
  for (const name of units.get(key)?.names ?? []) published.get(name)!.units.delete(key)
  units.delete(key)
}

/** Once all tasks were attempted, tasks that a reload adds change nothing. */
function noteAttempts(state: State): void {
  const all = Object.values(state.planned).reduce((sum, count) => sum + count, 0)
  if (state.isAttempted || state.plannedAt === undefined || state.statuses.size < all) return
  state.isAttempted = true
  // The first scrape after readiness gets everything, even if the body is a moment old.
  state.body = undefined
}

function isStalled({ tickedAt }: State, now: Moment): boolean {
  return tickedAt !== undefined && ageOf(tickedAt, now) > STALLED_AFTER
}

/** Removes what has expired. Returns the only unit that may be served while the scheduler has stalled. */
function expire(state: State, now: Moment): string | undefined {
  const unit = isStalled(state, now) ? state.own : undefined
  if (!isOver(state.earliestExpiry, now)) return unit
  const expired = [...state.units].filter(([, { expiresAt }]) => isOver(expiresAt, now))
  for (const [key] of expired) remove(state, key)
  state.earliestExpiry = [...state.units.values()].reduce((least, { expiresAt }) => earliest([least, expiresAt]), NEVER)
  if (expired.length === 0) return unit
  // A body with an expired series is never served again, even if it is a moment old.
  state.body = undefined
  state.withdrawals += 1
  return unit
}

/** The families of a metric: those of all units, or of one. */
function familiesOf({ published }: State, name: string, unit: string | undefined): readonly Family[] {
  const families = published.get(name)?.units
  if (!families) return []
  if (unit === undefined) return [...families.values()]
  const one = families.get(unit)
  return one ? [one] : []
}

function bodyOf(state: State, format: Format, now: Moment, only?: ReadonlySet<string>): readonly Uint8Array[] {
  const unit = expire(state, now)
  if (only) return join(build(state, unit, only), format)
  const { body } = state
  const isReady = body && body.only === unit && isCurrent(state, body, now)
  const { parts, pieces } = isReady ? body : (state.body = newBody(state, now, unit))
  return (pieces[format] ??= join(parts, format))
}

function newBody(state: State, builtAt: Moment, only: string | undefined): Body {
  const parts = build(state, only)
  const bytes = parts.reduce((sum, { lines }) => lines.reduce((more, { length }) => more + length, sum), 0)
  const lasts = Math.min(REBUILD_AFTER * Math.max(1, bytes / REBUILT_BYTES), REBUILD_AT_LAST)
  return { parts, pieces: {}, version: state.version, builtAt, lasts, only }
}

function build(state: State, unit: string | undefined, only?: ReadonlySet<string>): Part[] {
  return [...state.published].flatMap(([name, { headers }]) => {
    const families = only && !only.has(name) ? [] : familiesOf(state, name, unit)
    return families.length > 0 ? [{ headers, lines: families.flatMap(({ lines }) => lines) }] : []
  })
}

/**
 * Each piece is a write to each scraper's connection, so that smaller ones are joined up to this many bytes. Larger ones stay as
 * they are: the bodies of several moments share them.
 */
const LARGE = 65_536

function join(parts: readonly Part[], format: Format): Uint8Array[] {
  const pieces = [...parts.flatMap(({ headers, lines }) => [headers[format], ...lines]), ...ends[format]]
  const groups: Uint8Array[][] = []
  let room = 0
  for (const piece of pieces) {
    if (piece.length > room) {
      groups.push([])
      room = LARGE
    }
    groups.at(-1)!.push(piece)
    room -= piece.length
  }
  return groups.map((group) => (group.length === 1 ? group[0]! : Buffer.concat(group)))
}

function isCurrent({ version }: State, body: Body, now: Moment): boolean {
  return body.version === version || ageOf(body.builtAt, now) < body.lasts
}

function progressOf({ units, statuses, planned }: State, now: Moment): Progress[] {
  const alive = [...units.values()].filter(({ expiresAt }) => !isOver(expiresAt, now))
  const withData = new Set(alive.map(({ task }) => task))
  const rows = Map.groupBy(statuses.values(), ({ network }) => network)
  return Object.entries(planned).map(([network, count]) => {
    const attempted = rows.get(network) ?? []
    const known = attempted.filter(({ key }) => withData.has(key)).length
    return { network, planned: count, attempted: attempted.length, withData: known }
  })
}

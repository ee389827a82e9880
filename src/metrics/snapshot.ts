// The published state of the daemon: ready sample lines by unit. A scrape joins pieces and renders nothing.

import { ageOf, earliest, isOver, type Moment, NEVER } from '../lib/clock.ts'
import { type Described, type Family, type Format, renderHeader } from './exposition.ts'
import type { Change, FromPoller, TaskStatus, UpstreamError } from './publication.ts'

/** How far a network has got: its tasks, those that were attempted, and those with data that is still true. */
interface Progress {
  network: string
  planned: number
  attempted: number
  /** Only what came from an answer of an upstream is data. */
  withData: number
}

export interface Snapshot {
  /** One step per key: a scrape sees the old set or the new one, never a mixture. */
  accept(message: FromPoller): void
  /**
   * The body of a scrape, in pieces: the same array until something changes. What has expired is not in it, whatever
   * happened to the pollers. `only` names the metrics that are wanted; without it the body has all.
   */
  body(format: Format, now: Moment, only?: ReadonlySet<string>): readonly Uint8Array[]
  /** The sample lines of these metrics, as they were published: a piece is the same one until it is replaced. */
  pieces(now: Moment, names: ReadonlySet<string>): readonly Uint8Array[]
  /** How many series of these metrics are served. */
  count(now: Moment, names: ReadonlySet<string>): number
  status(): readonly TaskStatus[]
  /** The last one of each upstream that has failed. */
  errors(): readonly UpstreamError[]
  /** What the unit has published of the metric. */
  lines(key: string, name: string): Uint8Array | undefined
  /** How often anything was withdrawn without something new in its place: what was made of it before is no longer true. */
  withdrawals(now: Moment): number
  /** Of each network, in the order in which they were planned. */
  progress(now: Moment): readonly Progress[]
  /** Whether every task has been attempted once, or has had five minutes for it. A reload does not take that back. */
  isSettled(now: Moment): boolean
  /** Whether the scheduler has begun to tick and does not any more: then nothing of it is served. */
  isStalled(now: Moment): boolean
  /** Forgets all that a poller said. */
  forget(): void
}

interface Unit {
  names: readonly string[]
  expiresAt: Moment
  task: string | undefined
}

interface Body {
  pieces: readonly Uint8Array[]
  version: number
  builtAt: Moment
  /** Of this unit alone. */
  only: string | undefined
}

/** A body is put together at most this often, however many scrapers there are (milliseconds). */
const REBUILD_AFTER = 1_000
/** A scheduler that has not ticked for so long stands still: no answer takes as long to work through (milliseconds). */
const STALLED_AFTER = 60_000
/** A task that waits for its budget or for a slow upstream keeps stakewatch from being ready for so long (milliseconds). */
const SETTLED_AFTER = 30_000

/**
 * `catalogue` holds every metric that may be published, in the order of the body. `own` is the unit of the process itself:
 * all others come from a poller.
 */
export function createSnapshot(catalogue: readonly Described[], own: string): Snapshot {
  const encoder = new TextEncoder()
  const ends = { text: [], openmetrics: [encoder.encode('# EOF\n')] }
  const published = new Map(
    catalogue.map((metric) => {
      const text = encoder.encode(renderHeader(metric, 'text'))
      const openmetrics = encoder.encode(renderHeader(metric, 'openmetrics'))
      return [metric.name, { headers: { text, openmetrics }, units: new Map<string, Family>() }]
    }),
  )
  const units = new Map<string, Unit>()
  const statuses = new Map<string, TaskStatus>()
  const errors = new Map<string, UpstreamError>()
  const bodies = new Map<Format, Body>()
  /** No unit expires before this; replaced and dropped units may have left it too early. */
  let earliestExpiry = NEVER
  let version = 0
  let tickedAt: Moment | undefined
  let withdrawals = 0
  let planned: Readonly<Record<string, number>> = {}
  let plannedAt: Moment | undefined
  let isAttempted = false

  /** Once all tasks have been attempted, tasks that a reload adds change nothing. */
  function noteAttempts(): void {
    const all = Object.values(planned).reduce((sum, count) => sum + count, 0)
    if (isAttempted || plannedAt === undefined || statuses.size < all) return
    isAttempted = true
    // A scrape that follows the news that it is ready gets all that there is, be the body a moment old.
    bodies.clear()
  }

  const isStalled = (now: Moment) => tickedAt !== undefined && ageOf(tickedAt, now) > STALLED_AFTER

  function remove(key: string): void {
    for (const name of units.get(key)?.names ?? []) published.get(name)!.units.delete(key)
    units.delete(key)
  }

  function publish({ key, families, expiresAt, task }: Extract<Change, { kind: 'publish' }>): void {
    const unknown = families.find(({ name }) => !published.has(name))
    if (unknown) throw new Error(`metric ${unknown.name} is not in the catalogue`)
    const names = new Set(families.map(({ name }) => name))
    for (const name of units.get(key)?.names ?? []) if (!names.has(name)) published.get(name)!.units.delete(key)
    // In place, so that a unit keeps its position in the body.
    for (const family of families) published.get(family.name)!.units.set(key, family)
    units.set(key, { names: [...names], expiresAt, task })
    earliestExpiry = earliest([earliestExpiry, expiresAt])
  }

  function change(message: Change): void {
    if (message.kind === 'publish') return publish(message)
    withdrawals += 1
    for (const key of message.keys) {
      remove(key)
      statuses.delete(key)
    }
  }

  function expire(now: Moment): void {
    const expired = [...units].filter(([, { expiresAt }]) => isOver(expiresAt, now))
    for (const [key] of expired) remove(key)
    earliestExpiry = [...units.values()].reduce((least, { expiresAt }) => earliest([least, expiresAt]), NEVER)
    // No body with an expired series is served again, be it a moment old.
    if (expired.length === 0) return
    bodies.clear()
    withdrawals += 1
  }

  /** What is served of a metric: of all units, or of one. */
  function servedOf(name: string, unit: string | undefined): readonly Family[] {
    const families = published.get(name)?.units
    if (!families) return []
    if (unit === undefined) return [...families.values()]
    const one = families.get(unit)
    return one ? [one] : []
  }

  function build(format: Format, unit: string | undefined, only?: ReadonlySet<string>): readonly Uint8Array[] {
    const pieces: Uint8Array[] = []
    for (const [name, { headers }] of published) {
      if (only && !only.has(name)) continue
      const families = servedOf(name, unit)
      if (families.length > 0) pieces.push(headers[format], ...families.map(({ lines }) => lines))
    }
    return joined([...pieces, ...ends[format]])
  }

  const isNewest = (body: Body) => body.version === version
  const isFresh = ({ builtAt }: Body, now: Moment) => ageOf(builtAt, now) < REBUILD_AFTER

  /** A format that was asked for once would hold all that was published then. */
  function forgetBodies(now: Moment): void {
    for (const [format, body] of bodies) if (!isNewest(body) && !isFresh(body, now)) bodies.delete(format)
  }

  return {
    accept(message) {
      if (message.kind === 'status') {
        statuses.set(message.status.key, message.status)
        noteAttempts()
        return
      }
      if (message.kind === 'planned') {
        planned = message.tasks
        plannedAt ??= message.at
        noteAttempts()
        return
      }
      if (message.kind === 'error') {
        const { network, source } = message.error
        errors.set(`${network}/${source}`, message.error)
        return
      }
      if (message.kind === 'tick') {
        tickedAt = message.at
        forgetBodies(message.at)
        return
      }
      version += 1
      if (message.kind !== 'changes') return change(message)
      message.changes.forEach(change)
      // What is no longer configured is not served again, be the body a moment old.
      bodies.clear()
      withdrawals += 1
    },
    body(format, now, only) {
      if (isOver(earliestExpiry, now)) expire(now)
      const unit = isStalled(now) ? own : undefined
      if (only) return build(format, unit, only)
      const ready = bodies.get(format)
      if (ready && ready.only === unit && (isNewest(ready) || isFresh(ready, now))) return ready.pieces
      const pieces = build(format, unit)
      bodies.set(format, { pieces, version, builtAt: now, only: unit })
      return pieces
    },
    pieces(now, names) {
      if (isOver(earliestExpiry, now)) expire(now)
      const unit = isStalled(now) ? own : undefined
      return [...names].flatMap((name) => servedOf(name, unit).map(({ lines }) => lines))
    },
    count(now, names) {
      if (isOver(earliestExpiry, now)) expire(now)
      const unit = isStalled(now) ? own : undefined
      const families = [...names].flatMap((name) => servedOf(name, unit))
      return families.reduce((sum, { series }) => sum + series, 0)
    },
    lines: (key, name) => published.get(name)?.units.get(key)?.lines,
    status: () => [...statuses.values()],
    errors: () => [...errors.values()],
    withdrawals(now) {
      if (isOver(earliestExpiry, now)) expire(now)
      return withdrawals
    },
    progress(now) {
      const alive = [...units.values()].filter(({ expiresAt }) => !isOver(expiresAt, now))
      const withData = new Set(alive.map(({ task }) => task))
      const rows = Map.groupBy(statuses.values(), ({ network }) => network)
      return Object.entries(planned).map(([network, count]) => {
        const own = rows.get(network) ?? []
        const known = own.filter(({ key }) => withData.has(key)).length
        return { network, planned: count, attempted: own.length, withData: known }
      })
    },
    isSettled: (now) => isAttempted || (plannedAt !== undefined && ageOf(plannedAt, now) >= SETTLED_AFTER),
    isStalled,
    forget() {
      for (const key of [...units.keys()].filter((one) => one !== own)) remove(key)
      withdrawals += 1
      statuses.clear()
      errors.clear()
      bodies.clear()
      tickedAt = undefined
      planned = {}
      plannedAt = undefined
      isAttempted = false
    },
  }
}

/** Each piece is a write to each scraper's connection. Smaller ones are joined, at the cost of a copy of them (bytes). */
export const LARGE = 65_536

/** Larger ones stay what they are: the bodies of several moments share them. */
function joined(pieces: readonly Uint8Array[]): Uint8Array[] {
  const out: Uint8Array[] = []
  let small: Uint8Array[] = []
  let length = 0
  const close = () => {
    if (small.length > 0) out.push(Buffer.concat(small, length))
    small = []
    length = 0
  }
  for (const piece of pieces) {
    if (piece.length >= LARGE) {
      close()
      out.push(piece)
    } else {
      small.push(piece)
      length += piece.length
      if (length >= LARGE) close()
    }
  }
  close()
  return out
}

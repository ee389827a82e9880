// The published state of the daemon: ready sample lines by unit. A scrape joins pieces and renders nothing.

import type { Metric } from './define.ts'
import { type Family, type Format, renderHeader } from './exposition.ts'

/** One row of the status page. Times are milliseconds since the epoch. */
export interface TaskStatus {
  key: string
  result: 'success' | 'failure' | 'unsupported'
  reason: string
  source: string
  finishedAt: number
  /** What was declared of what the task looks at, as the run found it. */
  expectations?: readonly ExpectationRow[]
}

export interface ExpectationRow {
  /** The identity of what it is about. */
  labels: Readonly<Record<string, string>>
  expectation: string
  expected: string
  found: string
  isMet: boolean
}

/** What a poller says; plain data that can cross a thread. */
export type FromPoller =
  | { kind: 'publish'; key: string; families: Family[]; observedAt: number; expiresAt: number }
  | { kind: 'drop'; keys: string[] }
  | { kind: 'status'; status: TaskStatus }

export interface Snapshot {
  /** One step per key: a scrape sees the old set or the new one, never a mixture. */
  accept(message: FromPoller): void
  /**
   * The body of a scrape, in pieces: the same array until something changes. What has expired is not in it, whatever
   * happened to the pollers. `only` names the metrics that are wanted; without it the body has all.
   */
  body(format: Format, now: number, only?: ReadonlySet<string>): readonly Uint8Array[]
  status(): readonly TaskStatus[]
}

interface Unit {
  names: readonly string[]
  expiresAt: number
}

interface Body {
  pieces: readonly Uint8Array[]
  version: number
  builtAt: number
}

/** A body is put together at most this often, however many scrapers there are (milliseconds). */
const REBUILD_AFTER = 1_000

/** `catalogue` holds every metric that may be published, in the order of the body. */
export function createSnapshot(catalogue: readonly Metric[]): Snapshot {
  const encoder = new TextEncoder()
  const ends = { text: [], openmetrics: [encoder.encode('# EOF\n')] }
  const published = new Map(
    catalogue.map((metric) => {
      const text = encoder.encode(renderHeader(metric, 'text'))
      const openmetrics = encoder.encode(renderHeader(metric, 'openmetrics'))
      return [metric.name, { headers: { text, openmetrics }, lines: new Map<string, Uint8Array>() }]
    }),
  )
  const units = new Map<string, Unit>()
  const statuses = new Map<string, TaskStatus>()
  const bodies = new Map<Format, Body>()
  /** No unit expires before this; replaced and dropped units may have left it too early. */
  let earliestExpiry = Infinity
  let version = 0

  function remove(key: string): void {
    for (const name of units.get(key)?.names ?? []) published.get(name)!.lines.delete(key)
    units.delete(key)
  }

  function publish(key: string, families: readonly Family[], expiresAt: number): void {
    const unknown = families.find(({ name }) => !published.has(name))
    if (unknown) throw new Error(`metric ${unknown.name} is not in the catalogue`)
    const names = new Set(families.map(({ name }) => name))
    for (const name of units.get(key)?.names ?? []) if (!names.has(name)) published.get(name)!.lines.delete(key)
    // In place, so that a unit keeps its position in the body.
    for (const { name, lines } of families) published.get(name)!.lines.set(key, lines)
    units.set(key, { names: [...names], expiresAt })
    earliestExpiry = Math.min(earliestExpiry, expiresAt)
  }

  function expire(now: number): void {
    const expired = [...units].filter(([, { expiresAt }]) => expiresAt <= now)
    for (const [key] of expired) remove(key)
    earliestExpiry = [...units.values()].reduce((least, { expiresAt }) => Math.min(least, expiresAt), Infinity)
    // No body with an expired series is served again, be it a moment old.
    if (expired.length > 0) bodies.clear()
  }

  function build(format: Format, only?: ReadonlySet<string>): readonly Uint8Array[] {
    const pieces: Uint8Array[] = []
    for (const [name, { headers, lines }] of published) {
      if (only && !only.has(name)) continue
      if (lines.size > 0) pieces.push(headers[format])
      for (const piece of lines.values()) pieces.push(piece)
    }
    return [...pieces, ...ends[format]]
  }

  /** A clock that was set back makes no body fresh. */
  function isFresh({ builtAt }: Body, now: number): boolean {
    return now >= builtAt && now - builtAt < REBUILD_AFTER
  }

  return {
    accept(message) {
      if (message.kind === 'status') {
        statuses.set(message.status.key, message.status)
        return
      }
      version += 1
      if (message.kind === 'publish') return publish(message.key, message.families, message.expiresAt)
      for (const key of message.keys) {
        remove(key)
        statuses.delete(key)
      }
    },
    body(format, now, only) {
      if (now >= earliestExpiry) expire(now)
      if (only) return build(format, only)
      const ready = bodies.get(format)
      if (ready && (ready.version === version || isFresh(ready, now))) return ready.pieces
      const pieces = build(format)
      bodies.set(format, { pieces, version, builtAt: now })
      return pieces
    },
    status: () => [...statuses.values()],
  }
}

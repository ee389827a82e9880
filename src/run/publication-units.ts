// Publishes the series of a task: one unit for the run itself and one for each of its parts, each with its own time to live.

import type { Answered, Expectation, Part } from '../collectors/define.ts'
import type { BaseError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { type Clock, later, type Moment, NEVER } from '../lib/clock.ts'
import type { Sample } from '../metrics/define.ts'
import { renderLines, seriesOf } from '../metrics/exposition.ts'
import type { FromPoller } from '../metrics/publication.ts'
import { oldestOf } from './ask.ts'
import { named } from './run-log.ts'
import type { Task } from '../scheduler/plan.ts'
import { createIdentifier, type Identified } from './identity.ts'
import { entryOf } from '../lib/entry.ts'

export interface UnitsOptions {
  publish: (message: FromPoller) => void
  seriesDropped: (count: number) => void
  clock: Clock
  /** A time of our wall clock as the upstreams have it. */
  toUpstreamTime: (wall: number) => number
  log: Logger
  /** Whether the judge reads the metric. Default: none. */
  isKept?: (metric: string) => boolean
}

interface Outcome {
  samples: readonly Sample[]
  parts?: readonly Part[]
  expectations?: readonly Expectation[]
}

interface Answers {
  /** Ages of the answers outside of attempts. */
  answered: Answered
  /** Whether any upstream answered. */
  isAny: boolean
}

export type Units = ReturnType<typeof createUnits>

interface Unit<S> {
  key: string
  samples: readonly S[]
  /** Undefined when the published series of the unit stay as they are. */
  answered: Answered | undefined
  /** Whether it has an upstream's answer: a part whose requests all failed is no data. */
  isData: boolean
}

export function createUnits({ publish, seriesDropped, clock, toUpstreamTime, log, isKept }: UnitsOptions) {
  /** Series of each unit, by task: 0 for a unit that was rendered and not published yet. */
  const published = new Map<string, Map<string, number>>()
  const cap = createCap()
  const capped = createCapping(cap, seriesDropped, log)
  const ofTask = ({ key }: Task) => entryOf(published, key, () => new Map<string, number>())

  function drop(task: Task, keys: readonly string[]): void {
    if (keys.length === 0) return
    for (const key of keys) cap.forget(task, key)
    publish({ kind: 'drop', keys })
  }

  return {
    /**
     * Renders everything, and returns a function that publishes it at once and returns when the run's own samples expire.
     * Throws when a sample lacks a label. Leaves out samples that cannot be true, and calls `refused` with the reason.
     */
    render(task: Task, outcome: Outcome, answers: Answers, refused: (reason: BaseError) => void): () => Moment {
      const all = unitsOf(task, outcome, answers)
      const identify = createIdentifier(task, {
        seriesDropped,
        refused,
        now: toUpstreamTime(clock.now().wall),
        isKept,
      })
      const fresh = all.filter((unit) => unit.answered !== undefined)
      const identified = fresh.map((unit) => ({ ...unit, samples: identify(unit.samples) }))
      const rendered = capped.render(task, identified)
      const before = ofTask(task)
      // They have their room now, and must give it back even if they are never published.
      for (const { key } of fresh) entryOf(before, key, () => 0)
      return () => {
        let ownExpiry = NEVER
        const after = new Map(all.map(({ key }) => [key, before.get(key) ?? 0]))
        for (const { unit, families, samples } of rendered) {
          const { oldest, acceptedUntil } = unit.answered!
          const expiresAt = later(oldest.wall === Infinity ? clock.now() : acceptedUntil, task.settings.ttl)
          const of = { ...(unit.isData && { task: task.key }), ...(samples.length > 0 && { samples }) }
          publish({ kind: 'publish', key: unit.key, families, expiresAt, ...of })
          if (unit.key === task.key) ownExpiry = expiresAt
          const series = families.reduce((sum, family) => sum + family.series, 0)
          after.set(unit.key, series)
        }
        const gone = [...before.keys()].filter((key) => !after.has(key))
        drop(task, gone)
        published.set(task.key, after)
        return ownExpiry
      }
    },
    /** Nothing that was published is true any more. */
    clear(task: Task) {
      const keys = [...ofTask(task).keys()].filter((key) => key !== task.key)
      drop(task, keys)
      cap.within(task, task.key, [])
      publish({ kind: 'publish', key: task.key, families: [], expiresAt: NEVER })
      published.set(task.key, new Map([[task.key, 0]]))
    },
    /** The task is gone, or observes other objects: drops its series. */
    forget(task: Task) {
      // Its own unit carries the status, even where nothing was published.
      drop(task, [...new Set([task.key, ...ofTask(task).keys()])])
      published.delete(task.key)
      capped.forget(task)
    },
    /** Number of series that the task has published, expired ones included. */
    series: (task: Task): number => [...ofTask(task).values()].reduce((sum, series) => sum + series, 0),
  }
}

/** Renders what the cap leaves of the units of a task, and logs when a task begins to have too many. */
function createCapping(cap: ReturnType<typeof createCap>, seriesDropped: (count: number) => void, log: Logger) {
  /** Tasks whose last run had too many series. */
  const cut = new Set<string>()

  return {
    render(task: Task, units: readonly Unit<Identified>[]) {
      let dropped = 0
      // A later unit may have tracked objects, for which an earlier one must leave room.
      for (const { key, samples } of units) cap.claim(task, key, samples)
      const kept = units.map((unit) => {
        const samples = cap.within(task, unit.key, unit.samples)
        if (samples !== unit.samples) dropped += seriesIn(unit.samples) - seriesIn(samples)
        const judged = samples.filter((sample): sample is Identified & Sample => sample.labels !== undefined)
        return { unit, families: renderLines(samples), samples: judged }
      })
      if (dropped === 0) {
        cut.delete(task.key)
      } else {
        seriesDropped(dropped)
        if (!cut.has(task.key)) log.warn({ ...named(task), dropped, max: task.settings.maxSeries }, 'too many series')
        cut.add(task.key)
      }
      return kept
    },
    forget: (task: Task) => cut.delete(task.key),
  }
}

/** A part is as old as its oldest answer, including the answers of the run itself. */
function unitsOf(
  task: Task,
  { samples, parts = [], expectations = [] }: Outcome,
  { answered, isAny }: Answers,
): Unit<Sample>[] {
  const judged = expectations.map(({ metric, labels, expectation, isMet }) =>
    metric.sample({ ...labels, expectation }, isMet),
  )
  return [
    { key: task.key, samples: judged.length === 0 ? samples : [...judged, ...samples], answered, isData: isAny },
    ...parts.map(({ name, of, samples }): Unit<Sample> => {
      const isKnown = of.every(({ state }) => state !== 'failed')
      const ages = of.flatMap((attempt) => (attempt.state === 'known' ? [attempt.answered] : []))
      const known = isKnown ? oldestOf([answered, ...ages]) : undefined
      return { key: `${task.key}#${name}`, samples, answered: known, isData: isAny && ages.length > 0 }
    }),
  ]
}

/** Series of a unit in its last publication. */
interface Claim {
  tracked: number
  others: number
  kept: number
}

/**
 * Limits the series of all tasks of a collector together. Drops objects first that the configuration does not name, then those that
 * come last: the choice depends on names alone, never on which task was quicker.
 */
export function createCap() {
  const claims = new Map<string, Map<string, Claim>>()
  const claimsOf = ({ collector }: Task) => entryOf(claims, collector.name, () => new Map<string, Claim>())
  function claim(task: Task, unit: string, samples: readonly Identified[]): Claim {
    const own = claimOf(samples)
    claimsOf(task).set(unit, own)
    return own
  }
  return {
    /** A unit will want room for these samples. */
    claim,
    /** Returns the samples of a unit that may be published: all of them, or the tracked ones first. */
    within(task: Task, unit: string, samples: readonly Identified[]): readonly Identified[] {
      const own = claim(task, unit, samples)
      const { forTracked, forOthers, free } = share(claimsOf(task), unit, task.settings.maxSeries)
      const all = own.tracked + own.others
      if (own.tracked <= forTracked && own.others <= forOthers && all <= free) {
        own.kept = all
        return samples
      }
      const { true: tracked = [], false: others = [] } = Object.groupBy(samples, (one) => `${one.isTracked}`)
      const first = taken(tracked, Math.min(forTracked, free))
      const kept = [...first, ...taken(others, Math.min(forOthers, free - seriesIn(first)))]
      own.kept = seriesIn(kept)
      return kept
    },
    /** The unit is gone. */
    forget: ({ collector }: Task, unit: string) => claims.get(collector.name)?.delete(unit),
  }
}

/** What is left for a unit; `free` is what other units have not used, even beyond their share. */
function share(claims: ReadonlyMap<string, Claim>, unit: string, most: number) {
  const others = [...claims].filter(([other]) => other !== unit)
  const before = others.filter(([other]) => other < unit)
  const sum = (some: typeof others, of: keyof Claim) => some.reduce((all, [, claim]) => all + claim[of], 0)
  const allTracked = sum(others, 'tracked') + claims.get(unit)!.tracked
  return {
    forTracked: most - sum(before, 'tracked'),
    forOthers: most - allTracked - sum(before, 'others'),
    free: most - sum(others, 'kept'),
  }
}

function claimOf(samples: readonly Identified[]): Claim {
  const claim = { tracked: 0, others: 0, kept: 0 }
  for (const sample of samples) claim[sample.isTracked ? 'tracked' : 'others'] += seriesOf(sample)
  return claim
}

/** The first samples that fit; a histogram is whole or absent. */
function taken(samples: readonly Identified[], room: number): Identified[] {
  let used = 0
  const end = samples.findIndex((sample) => (used += seriesOf(sample)) > room)
  return samples.slice(0, end < 0 ? samples.length : end)
}

export function seriesIn(samples: readonly Identified[]): number {
  return samples.reduce((sum, sample) => sum + seriesOf(sample), 0)
}

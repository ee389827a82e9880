// Limits the series of all tasks of a collector together. Drops objects first that the configuration does not name, then those
// that come last: the choice depends on names alone, never on which task was quicker.

import { entryOf } from '../lib/entry.ts'
import { seriesOf } from '../metrics/exposition.ts'
import type { Identified } from './identity.ts'
import type { Task } from '../scheduler/plan.ts'

/** Series of a unit in its last publication. */
interface Claim {
  tracked: number
  others: number
  kept: number
}

export function createCap() {
  const claims = new Map<string, Map<string, Claim>>()
  return {
    /** Returns the samples of a unit that may be published: all of them, or the tracked ones first. */
    within({ collector, settings }: Task, unit: string, samples: readonly Identified[]): readonly Identified[] {
      const ofCollector = entryOf(claims, collector.name, () => new Map<string, Claim>())
      const claim = claimOf(samples)
      ofCollector.set(unit, claim)
      const { forTracked, forOthers, free } = share(ofCollector, unit, settings.maxSeries)
      const all = claim.tracked + claim.others
      if (claim.tracked <= forTracked && claim.others <= forOthers && all <= free) {
        claim.kept = all
        return samples
      }
      const { true: tracked = [], false: others = [] } = Object.groupBy(samples, (one) => `${one.isTracked}`)
      const first = taken(tracked, Math.min(forTracked, free))
      const kept = [...first, ...taken(others, Math.min(forOthers, free - seriesIn(first)))]
      claim.kept = seriesIn(kept)
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

// Metrics as the generated catalogue has them, for those that do not load the collectors.

import catalogue from '../../catalogue.json' with { type: 'json' }
import type { Described } from './exposition.ts'

const labels: ReadonlyMap<string, readonly string[]> = new Map(catalogue.map((one) => [one.name, one.labels]))

/** Without those that Prometheus adds to every series of a target. */
export function labelsOf(metric: string): readonly string[] {
  const own = labels.get(metric)
  if (!own) throw new Error(`metric ${metric} is not in catalogue.json; npm run generate adds it`)
  return own
}

interface Definitions {
  /** The collector's name. */
  name: string
  metrics: readonly Described[]
}

/** Owners that are not collectors. */
const OTHERS = new Set(['configuration', 'daemon', 'process', 'storage'])

const byOwner = Map.groupBy(
  catalogue.filter(({ owner }) => !OTHERS.has(owner)),
  ({ owner }) => owner,
)
export const definitions: readonly Definitions[] = [...byOwner].map(([name, metrics]) => ({
  name,
  metrics: metrics as Definitions['metrics'],
}))

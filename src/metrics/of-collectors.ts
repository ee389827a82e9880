// The metrics of each collector, from the catalogue that is made of them: what serves them does not load what polls.

import catalogue from '../../catalogue.json' with { type: 'json' }
import type { Described } from './exposition.ts'

interface Definitions {
  /** Of the collector. */
  name: string
  metrics: readonly Described[]
}

/** Owners that are no collectors. */
const OTHERS = new Set(['configuration', 'daemon', 'process', 'storage'])

const byOwner = Map.groupBy(
  catalogue.filter(({ owner }) => !OTHERS.has(owner)),
  ({ owner }) => owner,
)
export const definitions: readonly Definitions[] = [...byOwner].map(([name, metrics]) => ({
  name,
  metrics: metrics as Definitions['metrics'],
}))

// The metrics of each collector, read from the catalogue so that the serving thread does not load the collectors.

import catalogue from '../../catalogue.json' with { type: 'json' }
import type { Described } from './exposition.ts'

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

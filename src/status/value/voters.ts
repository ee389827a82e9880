// Which nodes vote. The rule that records the muted ones decides it: everything else reads that.

import type { Readings } from '../../metrics/read-exposition.ts'
import { MUTED } from './metric-names.ts'
import { keyOf } from './readings.ts'

export type Votes = (network: string, source: string) => boolean

/** Undefined before the rule has been evaluated: then it is not known. */
export function votersIn(readings: Readings): Votes | undefined {
  const recorded = readings.get(MUTED)
  if (!recorded) return undefined
  const muted = new Set(recorded.map(({ labels }) => keyOf(labels['network'] ?? '', labels['source'] ?? '')))
  return (network, source) => !muted.has(keyOf(network, source))
}

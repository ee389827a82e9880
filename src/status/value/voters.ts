// Which nodes vote, as the judge has published it.

import { VOTES } from './metric-names.ts'
import { keyOf, type Readings } from './readings.ts'

export type Votes = (network: string, source: string) => boolean

/** Undefined before the first verdict: then it is not known. */
export function votersIn(readings: Readings): Votes | undefined {
  const published = readings.get(VOTES)
  if (!published) return undefined
  const muted = new Set(
    published.flatMap(({ labels, value }) =>
      value === 0 ? [keyOf(labels['network'] ?? '', labels['source'] ?? '')] : [],
    ),
  )
  return (network, source) => !muted.has(keyOf(network, source))
}

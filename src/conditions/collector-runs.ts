// Runs of collectors: which there are, by collector.

import type { View } from './view.ts'

/** The runs of one collector: a fact of the network. */
export const runsOf = (collector: string) => (network: View) => network.fact(runsByCollector).get(collector) ?? []

const runsByCollector = (network: View): ReadonlyMap<string, readonly View[]> =>
  Map.groupBy(network.every('run'), ({ labels }) => labels['collector']!)

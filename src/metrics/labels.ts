// The labels of each metric, from the catalogue, so that readers do not load the collectors.

import catalogue from '../../catalogue.json' with { type: 'json' }

const labels: ReadonlyMap<string, readonly string[]> = new Map(catalogue.map((one) => [one.name, one.labels]))

/** Without those that Prometheus adds to every series of a target. */
export function labelsOf(metric: string): readonly string[] {
  const own = labels.get(metric)
  if (!own) throw new Error(`metric ${metric} is not in catalogue.json; npm run generate adds it`)
  return own
}

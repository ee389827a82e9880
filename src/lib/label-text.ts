// Labels of series, in the order of their names: equal labels are then equal texts.

export type Labels = Readonly<Record<string, string>>

/** An empty label is none. */
export function sortedLabels(entries: Iterable<readonly [string, string]>): Labels {
  const kept = [...entries].filter(([, value]) => value !== '')
  return Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

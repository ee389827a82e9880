// Labels of series sorted by name, so that equal labels give equal texts.

export type Labels = Readonly<Record<string, string>>

/** An empty label counts as absent. */
export function sortedLabels(entries: Iterable<readonly [string, string]>): Labels {
  const kept = [...entries].filter(([, value]) => value !== '')
  return Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

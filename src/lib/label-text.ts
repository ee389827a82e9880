// Labels of series sorted by name, so that equal labels give equal texts.

export type Labels = Readonly<Record<string, string>>

/** An empty label counts as absent. */
export function sortedLabels(entries: Iterable<readonly [string, string]>): Labels {
  const kept = [...entries].filter(([, value]) => value !== '')
  return Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const BETWEEN = '\u00ff'

/** Equal for equal sets of sorted labels. Joined, as a text made by `+=` stays a chain of its parts, which take more memory. */
export function labelKey(labels: Labels): string {
  const parts: string[] = []
  for (const name in labels) parts.push(name, labels[name]!)
  return parts.join(BETWEEN)
}

export function hasLabels(labels: Labels, own: Labels): boolean {
  for (const name in own) if (labels[name] !== own[name]) return false
  return true
}

/** An empty label may be left out, so neither may have one that the other lacks. */
export const areSameLabels = (one: Labels, other: Labels) =>
  one === other || (hasLabels(one, other) && hasLabels(other, one))

// Checks whether a text can be the value of a label.

/** In bytes of UTF-8. */
const LONGEST = 256

/** Printable ASCII of usual length, without quotes and backslashes: nearly every label. */
export function isPlain(value: string): boolean {
  return value.length <= LONGEST && /^[ !#-[\]-~]*$/.test(value)
}

/** Lone surrogates of two values would become the same bytes, and so the same series twice. */
export function isLabel(value: string): boolean {
  if (value.length * 3 > LONGEST && Buffer.byteLength(value) > LONGEST) return false
  return value.isWellFormed() && !/\p{Cc}/u.test(value)
}

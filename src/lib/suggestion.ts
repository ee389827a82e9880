// Suggests the known word that a misspelt one was meant to be.

/** Undefined when no word is close: more than a third of the letters would have to change. Ignores case. */
export function suggestionFor(word: string, known: readonly string[]): string | undefined {
  const ranked = known.map((candidate) => ({
    candidate,
    distance: editDistance(word.toLowerCase(), candidate.toLowerCase()),
  }))
  const [best] = ranked.toSorted((a, b) => a.distance - b.distance)
  return best && best.distance <= Math.max(1, Math.floor(word.length / 3)) ? best.candidate : undefined
}

/** Advice about a word that is not known. */
export function meantOr(otherwise: string, word: string, known: readonly string[]): string {
  const meant = suggestionFor(word, known)
  return meant ? `did you mean ${meant}?` : otherwise
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, letter] of a.split('').entries()) {
    const next = [i + 1]
    for (let j = 1; j <= b.length; j += 1) {
      const changed = row[j - 1]! + (b[j - 1] === letter ? 0 : 1)
      next.push(Math.min(changed, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}

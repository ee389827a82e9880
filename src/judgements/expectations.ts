// Whether what was declared is so. Plain values in, plain values out; what cannot be told is left out.

/** One comparison, in words for people. */
export interface Judged {
  /** The configuration's own word: label `expectation`. */
  expectation: string
  expected: string
  found: string
  isMet: boolean
}

type Value = string | number | bigint | boolean

/** What must be equal. Nothing where nothing is declared, or where it is not known what there is. */
export function equal(expectation: string, expected: Value | undefined, found: Value | undefined): Judged[] {
  return judged(expectation, expected, found, (a, b) => a === b, String)
}

/** What must be there at least. */
export function atLeast(expectation: string, expected: number | undefined, found: number | undefined): Judged[] {
  return judged(expectation, expected, found, (least, there) => there >= least, String)
}

/** What must consist of the same members, in any order. */
export function sameMembers(
  expectation: string,
  expected: readonly string[] | undefined,
  found: readonly string[] | undefined,
): Judged[] {
  const inOrder = (members: readonly string[]) => [...new Set(members)].toSorted().join(', ')
  return judged(expectation, expected, found, (a, b) => inOrder(a) === inOrder(b), inOrder)
}

function judged<T>(
  expectation: string,
  expected: T | undefined,
  found: T | undefined,
  isMet: (expected: T, found: T) => boolean,
  show: (value: T) => string,
): Judged[] {
  if (expected === undefined || found === undefined) return []
  return [{ expectation, expected: show(expected), found: show(found), isMet: isMet(expected, found) }]
}

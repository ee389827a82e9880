// Judges whether things are as declared. What cannot be judged is left out.

/** One comparison, in words for people. */
export interface Judged {
  /** The configuration's own word: label `expectation`. */
  expectation: string
  expected: string
  found: string
  isMet: boolean
}

type Value = string | number | bigint | boolean

/** Judges equality. Empty when nothing is declared or the found value is unknown. */
export function equal(expectation: string, expected: Value | undefined, found: Value | undefined): Judged[] {
  // As text: 15000000 and 15000000n are the same.
  return judged(expectation, text(expected), text(found), (a, b) => a === b)
}
export function atLeast(expectation: string, expected: number | undefined, found: number | undefined): Judged[] {
  const results = judged(expectation, expected, found, (least, there) => there >= least)
  return results.map((one) => ({ ...one, expected: `at least ${one.expected}` }))
}

/** Judges whether two lists have the same members, in any order. */
export function sameMembers(
  expectation: string,
  expected: readonly string[] | undefined,
  found: readonly string[] | undefined,
): Judged[] {
  return judged(expectation, inOrder(expected), inOrder(found), (a, b) => a === b)
}

function text(value: Value | undefined): string | undefined {
  return value === undefined ? undefined : String(value)
}

function inOrder(members: readonly string[] | undefined): string | undefined {
  return members && [...new Set(members)].toSorted().join(', ')
}

function judged<T extends string | number>(
  expectation: string,
  expected: T | undefined,
  found: T | undefined,
  isMet: (expected: T, found: T) => boolean,
): Judged[] {
  if (expected === undefined || found === undefined) return []
  return [{ expectation, expected: String(expected), found: String(found), isMet: isMet(expected, found) }]
}

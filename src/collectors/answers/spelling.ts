// Types and states as an upstream words them. Capitals say nothing: the data service writes `TRANSFER` for outputs of the
// P-Chain and `transfer` for those of the X- and the C-Chain. What we publish is the spelling that we know.

import { boundedKey } from './bounded.ts'

/** The known word that was told, in its known spelling; undefined when it is none of them. */
export function knownSpelling<K extends string>(known: readonly K[], told: string | undefined): K | undefined {
  const word = told?.toLowerCase()
  return known.find((one) => one.toLowerCase() === word)
}

export function isWord(told: string | undefined, word: string): boolean {
  return knownSpelling([word], told) !== undefined
}

/** As a label value: in the spelling that was seen first, and `other` when there are too many. */
export function boundedWord(seen: Readonly<Record<string, unknown>>, told: string): string {
  return boundedKey(seen, Object.hasOwn(seen, told) ? told : (knownSpelling(Object.keys(seen), told) ?? told))
}

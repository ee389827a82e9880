// Label values that an upstream chooses, such as types and states. Capitals in them say nothing: the data service writes
// `TRANSFER` for outputs of the P-Chain and `transfer` for those of the X- and the C-Chain. What we publish is the spelling
// that we know. And no answer may grow the number of series without end.

const MOST = 32

/** The known word that was told, in its known spelling; undefined when it is none of them. */
export function knownSpelling<K extends string>(known: readonly K[], told: string | undefined): K | undefined {
  const word = told?.toLowerCase()
  return known.find((one) => one.toLowerCase() === word)
}

export function isWord(told: string | undefined, word: string): boolean {
  return knownSpelling([word], told) !== undefined
}

/** The word in the spelling that was seen first while there are few words, then `other`. */
export function boundedWord(seen: Readonly<Record<string, unknown>>, told: string): string {
  return boundedKey(seen, Object.hasOwn(seen, told) ? told : (knownSpelling(Object.keys(seen), told) ?? told))
}

/** The name itself while there are few of them, then `other`. So is a name that every object answers to. */
export function boundedKey(seen: Readonly<Record<string, unknown>>, value: string): string {
  if (value in Object.prototype) return 'other'
  return Object.hasOwn(seen, value) || Object.keys(seen).length < MOST ? value : 'other'
}

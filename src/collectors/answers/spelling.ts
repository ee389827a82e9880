// Label values that an upstream chooses, such as types and states. Case has no meaning: the data service writes
// `TRANSFER` for outputs of the P-Chain and `transfer` for those of the X- and the C-Chain. We publish our own
// spelling, and bound the number of values.

const MOST = 32

/** The known spelling of a word, ignoring case; undefined for an unknown word. */
export function knownSpelling<K extends string>(known: readonly K[], text: string | undefined): K | undefined {
  const word = text?.toLowerCase()
  return known.find((one) => one.toLowerCase() === word)
}

export function isWord(text: string | undefined, word: string): boolean {
  return knownSpelling([word], text) !== undefined
}

/** The word in the spelling seen first, or `other` once there are too many words. */
export function boundedWord(seen: Readonly<Record<string, unknown>>, text: string): string {
  return boundedKey(seen, Object.hasOwn(seen, text) ? text : (knownSpelling(Object.keys(seen), text) ?? text))
}

/** The name itself, or `other` once there are too many. Inherited member names are `other` too. */
export function boundedKey(seen: Readonly<Record<string, unknown>>, value: string): string {
  if (value in Object.prototype) return 'other'
  return Object.hasOwn(seen, value) || Object.keys(seen).length < MOST ? value : 'other'
}

// A small cache of computed values: the newest blocks are read again and again.

/** Keeps what `make` returned for the last `most` keys. The value must follow from the key alone. */
export function createRecent<Key, Value>(most: number) {
  const kept = new Map<Key, Value>()
  return {
    get(key: Key, make: (key: Key) => Value): Value {
      const known = kept.get(key)
      if (known !== undefined) return known
      const made = make(key)
      kept.set(key, made)
      if (kept.size > most) kept.delete(kept.keys().next().value!)
      return made
    },
    peek: (key: Key) => kept.get(key),
    clear: () => kept.clear(),
  }
}

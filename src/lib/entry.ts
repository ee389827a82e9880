// Entries of a map that are made when they are first asked for, and tables that are looked up with words from outside.

interface Entries<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

/** Of a Map or a WeakMap. */
export function entryOf<Key, Value>(map: Entries<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make(key)
  map.set(key, made)
  return made
}

/** The same rows without the members that every object inherits, such as `constructor` and `toString`. */
export function table<T>(rows: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.freeze(Object.assign(Object.create(null) as Record<string, T>, rows))
}

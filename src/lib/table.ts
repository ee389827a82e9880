// Tables that are looked up with words from outside.

/** The same rows without the members that every object inherits, such as `constructor` and `toString`. */
export function table<T>(rows: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.freeze(Object.assign(Object.create(null) as Record<string, T>, rows))
}

// Tables that are asked with words from outside.

/** The same rows, without what every object has besides: no `constructor` and no `toString` is found in it. */
export function table<T>(rows: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.freeze(Object.assign(Object.create(null) as Record<string, T>, rows))
}

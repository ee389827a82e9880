// What was true when: values over time, kept as long as anything published may live.

export interface History {
  /** The value from now on; undefined when there is none any more. */
  note(key: string, at: number, value: number | undefined): void
  /** Whether the value held at some moment from `since` on. */
  held(key: string, value: number, since: number): boolean
  /** Whether there was a value at every moment from `since` on. */
  wasThere(key: string, since: number): boolean
  /** The values since then that are nearest to this one, in their order: for words. */
  around(key: string, value: number, since: number): readonly (number | undefined)[]
  keys(): Iterable<string>
}

type Entry = readonly [from: number, value: number | undefined]

/** Milliseconds; entries that ended before that are forgotten. */
const KEPT = 6 * 3_600_000
/** Numbers that were written as text and read again. */
const TOLERANCE = 1e-9

export function createHistory(): History {
  const all = new Map<string, Entry[]>()

  /** Those that held at some moment from then on. */
  function since(key: string, time: number): readonly Entry[] {
    const entries = all.get(key) ?? []
    let first = entries.length
    while (first > 0 && (entries[first]?.[0] ?? Infinity) > time) first -= 1
    return entries.slice(first)
  }

  return {
    note(key, at, value) {
      let entries = all.get(key)
      if (!entries) all.set(key, (entries = []))
      if (entries.length > 0 && entries.at(-1)![1] === value) return
      entries.push([at, value])
      if (entries.length > 4_000 && entries[1_000]![0] < at - KEPT) entries.splice(0, 1_000)
    },
    held: (key, value, time) =>
      since(key, time).some(
        ([, one]) => one !== undefined && Math.abs(one - value) <= TOLERANCE * Math.max(1, Math.abs(one)),
      ),
    wasThere(key, time) {
      const entries = since(key, time)
      return entries.length > 0 && entries[0]![0] <= time && entries.every(([, value]) => value !== undefined)
    },
    around(key, value, time) {
      const entries = since(key, time)
      const distances = entries.map(([, one]) => Math.abs((one ?? Infinity) - value))
      const nearest = distances.indexOf(Math.min(...distances))
      return entries.slice(Math.max(0, nearest - 1), nearest + 2).map(([, one]) => one)
    },
    keys: () => all.keys(),
  }
}

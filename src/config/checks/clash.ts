// What a clash is, and the ways in which entries of a list clash. The values come as they stand, well-formed or not, so
// that a clash is reported together with everything else.

import { suggestionFor } from '../../lib/suggestion.ts'

export interface Clash {
  path: PropertyKey[]
  message: string
}

export type Item = Readonly<Record<string, unknown>>

export const asName = (other: string) => `${other} has this name already: choose another`
export const asNumber = (other: string) => `${other} has this number already: correct one of the two`
export const asEntry = (other: string) => `${other} is the same: remove one of the two`

/** Maps and lists have no text: they may contain anything, even their own `toString`. */
export function asText(value: unknown): string {
  return typeof value === 'object' && value !== null ? '' : String(value)
}

/** Entries that say the same by the first of `keys` that they have. `list` is a path with dots. */
export function alike(
  list: string,
  items: unknown,
  keys: readonly string[],
  message: (other: string) => string,
  meaning: (text: string) => string = (text) => text,
): Clash[] {
  const first = new Map<string, number>()
  return entriesOf(items).flatMap((item, at) => {
    const key = keys.find((key) => typeof item[key] === 'string' || typeof item[key] === 'number')
    if (key === undefined) return []
    const meant = meaning(String(item[key]))
    const other = first.get(meant)
    if (other !== undefined) return [{ path: [...list.split('.'), at, key], message: message(`${list}[${other}]`) }]
    first.set(meant, at)
    return []
  })
}

export function taken(list: string, items: unknown, key: string, value: string, message: string): Clash[] {
  return entriesOf(items).flatMap((item, at) => (item[key] === value ? [{ path: [list, at, key], message }] : []))
}

/** Keys that are there, though they mean nothing. */
export function given(item: Item, keys: readonly string[], message: string): Clash[] {
  return keys.flatMap((key) => (item[key] === undefined ? [] : [{ path: [key], message }]))
}

/** Comparisons with known names for one list: a list of which every name is wrong is one mistake, and must not take minutes. */
const MOST_COMPARISONS = 50_000

/** Names that entries may refer to, by their place. Of a name that is there twice it knows the first place. */
export function namesIn(names: readonly string[]) {
  const places = new Map(names.map((name, at) => [name, at] as const).toReversed())
  let comparisons = 0
  return {
    placeOf: (name: string): number | undefined => places.get(name),
    /** The place of the name that a misspelt one was meant to be. */
    nearest(name: string): number | undefined {
      if (comparisons > 0 && comparisons + names.length > MOST_COMPARISONS) return undefined
      comparisons += names.length
      return places.get(suggestionFor(name, names) ?? '')
    },
  }
}

export function entriesOf(items: unknown): Item[] {
  return listOf(items).map(mapOf)
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function mapOf(value: unknown): Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Item) : {}
}

/** Clashes of a part, as those of the whole. */
export function inside(path: readonly PropertyKey[], clashes: readonly Clash[]): Clash[] {
  return clashes.map((clash) => ({ ...clash, path: [...path, ...clash.path] }))
}

/** Clashes of each entry of a list, as those of the whole. */
export function insideEach(
  path: readonly PropertyKey[],
  items: unknown,
  clashesOf: (item: Item, at: number) => readonly Clash[],
): Clash[] {
  return entriesOf(items).flatMap((item, at) => inside([...path, at], clashesOf(item, at)))
}

/** Expectations that are there, though they can never be met or judged. */
export function expecting({ expect }: Item, keys: readonly string[], message: string): Clash[] {
  return inside(['expect'], given(mapOf(expect), keys, message))
}

// A member of an answer that is null reads as if it were absent, in every answer of the tables.

import { isDeepStrictEqual } from 'node:util'

type Path = readonly string[]

/**
 * The members that read otherwise, in words. `read` gives what becomes of an answer, or nothing where it is refused;
 * `differing` has the paths of members whose null means something else.
 */
export function nullFailures(raw: unknown, read: (raw: unknown) => unknown, differing: readonly string[]): string[] {
  return membersOf(raw).flatMap((path) => {
    if (differing.some((one) => fits(path, one))) return []
    const absent = read(changed(raw, path, (holder, key) => delete holder[key]))
    const given = read(changed(raw, path, (holder, key) => (holder[key] = null)))
    if (isDeepStrictEqual(given, absent)) return []
    // Some services write null for an empty list that they never leave out.
    const isList = absent === undefined && Array.isArray(at(raw, path) ?? [])
    if (isList && isDeepStrictEqual(given, read(changed(raw, path, (holder, key) => (holder[key] = []))))) return []
    return [`reads null of ${path.join('.')} otherwise than its absence, see nullsDiffer`]
  })
}

/** Paths of the members of all objects in the value. */
function membersOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const own = [...path, key]
    return [...(Array.isArray(value) ? [] : [own]), ...membersOf(inner, own)]
  })
}

/** Whether the path is that of the pattern, in which `*` is any key or place in a list. */
function fits(path: Path, pattern: string): boolean {
  const steps = pattern.split('.')
  return steps.length === path.length && steps.every((step, index) => step === '*' || step === path[index])
}

function changed(raw: unknown, path: Path, change: (holder: Record<string, unknown>, key: string) => void): unknown {
  const copy = structuredClone(raw)
  change(at(copy, path.slice(0, -1)) as Record<string, unknown>, path.at(-1)!)
  return copy
}

function at(value: unknown, path: Path): unknown {
  return path.reduce((part, key) => (part as Record<string, unknown>)[key], value)
}

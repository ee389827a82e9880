// Leaves out of an answer what cannot be read: a field where its record can do without it, else the item of the list that
// has the field.

import { z } from 'zod'

type Type = z.core.$ZodType
type Path = readonly PropertyKey[]

/** Fields that a record can do without. A registry also knows the copies of a type that descriptions make. */
const expendable = z.registry<{ isExpendable: true }>()

/** An unreadable value of the type, or below it, costs only the field. */
export function markExpendable<T extends z.ZodType>(type: T): T {
  expendable.add(type, { isExpendable: true })
  return type
}

/** The rest of an answer, which fits unless the definition compares fields with each other, and what was left out. */
export interface Rest {
  rest: unknown
  /** Items of the list, in their wire form. */
  unread: readonly unknown[]
  /** Number of fields that remaining items lost, or an answer without a list. */
  fieldsDropped: number
}

/**
 * Undefined when leaving out does not help, or when the list lost all its items and would pass for an empty one. A later
 * page may become empty.
 */
export function leaveOut(
  type: Type,
  raw: unknown,
  issues: readonly z.core.$ZodIssue[],
  items: string | undefined,
  isLaterPage: boolean,
): Rest | undefined {
  const places: Path[] = []
  const bad = new Set<unknown>()
  for (const issue of issues) {
    const found = pathsToLeaveOut(type, issue)
    if (found) places.push(...found)
    else if (items === undefined || issue.path[0] !== items || typeof issue.path[1] !== 'number') return undefined
    else bad.add(issue.path[1])
  }
  if (emptiesRecord(type, raw, places)) return undefined
  const { copy, count } = copyWithout(
    raw,
    places.filter(([list, at]) => list !== items || !bad.has(at)),
  )
  if (bad.size === 0) return { rest: copy, unread: [], fieldsDropped: count }
  const body = copy as Record<string, unknown[]>
  const kept = body[items!]!.filter((_, at) => !bad.has(at))
  if (kept.length === 0 && !isLaterPage) return undefined
  const unread = (raw as typeof body)[items!]!.filter((_, at) => bad.has(at))
  return { rest: { ...body, [items!]: kept }, unread, fieldsDropped: count }
}

/** A record that lost all its members must not pass for an empty one. */
function emptiesRecord(type: Type, raw: unknown, places: readonly Path[]): boolean {
  const byHolder = Map.groupBy(places, (path) => JSON.stringify(path.slice(0, -1)))
  return byHolder.values().some((within) => {
    const above = within[0]!.slice(0, -1)
    if (!([...typesAlong(type, above)].at(-1)![0] instanceof z.ZodRecord)) return false
    const members = above.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)[key], raw)
    return Object.keys(members as object).length === new Set(within.map((path) => path.at(-1))).size
  })
}

/** Paths of the innermost fields whose absence resolves the issue; undefined when there are none. */
function pathsToLeaveOut(type: Type, issue: z.core.$ZodIssue): Path[] | undefined {
  const passed = [...typesAlong(type, issue.path)]
  const [last] = passed.at(-1)!
  if (issue.code === 'invalid_union' && last instanceof z.ZodUnion) {
    const inForm = pathsInOption(last, issue.errors)
    if (inForm) return inForm.map((path) => [...issue.path, ...path])
  }
  const field = passed.findLast(([one]) => expendable.get(one) !== undefined)
  return field && [issue.path.slice(0, field[1])]
}

/** Paths for the first option of a union that the value fits without such fields. */
function pathsInOption({ options }: z.ZodUnion, errors: readonly z.core.$ZodIssue[][]): Path[] | undefined {
  for (const [at, issues] of errors.entries()) {
    const places = issues.map((issue) => pathsToLeaveOut(options[at]!, issue))
    if (places.every((found) => found !== undefined)) return places.flat()
  }
  return undefined
}

/** The types along a path, the outer ones first, each with the length of the path to it. */
function* typesAlong(type: Type, path: Path, at = 0): Generator<[Type, number]> {
  yield [type, at]
  const inner = unwrap(type)
  if (inner) yield* typesAlong(inner, path, at)
  else if (at < path.length) yield* typesBelow(type, path, at)
}

function* typesBelow(type: Type, path: Path, at: number): Generator<[Type, number]> {
  if (type instanceof z.ZodUnion) {
    const ways = type.options.map((form) => [...typesAlong(form, path, at)])
    // The option that follows the path furthest is the one with such a member.
    yield* ways.toSorted((a, b) => b.at(-1)![1] - a.at(-1)![1])[0]!
    return
  }
  const next = memberOf(type, path[at]!)
  if (next) yield* typesAlong(next, path, at + 1)
}

function unwrap(type: Type): Type | undefined {
  if (type instanceof z.ZodPipe) return type.in
  return type instanceof z.ZodOptional || type instanceof z.ZodNullable ? type.unwrap() : undefined
}

function memberOf(type: Type, key: PropertyKey): Type | undefined {
  if (type instanceof z.ZodObject) return type.shape[key as string] as Type | undefined
  if (type instanceof z.ZodArray) return type.element
  return type instanceof z.ZodRecord ? type.valueType : undefined
}

/** A copy without the values at the paths. Does not count a path below another one. */
function copyWithout(value: unknown, paths: readonly Path[]): { copy: unknown; count: number } {
  if (paths.length === 0) return { copy: value, count: 0 }
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<PropertyKey, unknown>
  let count = 0
  for (const [key, some] of Map.groupBy(paths, ([first]) => first!)) {
    if (some.some((path) => path.length === 1)) {
      delete copy[key]
      count += 1
    } else {
      const inner = copyWithout(
        copy[key],
        some.map((path) => path.slice(1)),
      )
      copy[key] = inner.copy
      count += inner.count
    }
  }
  return { copy, count }
}

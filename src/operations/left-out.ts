// What can be left out of an answer that does not fit: a field alone where the record can do without it, else the item of
// the list that the field stands in.

import { z } from 'zod'

type Type = z.core.$ZodType
type Path = readonly PropertyKey[]

/** Fields that a record can do without. Descriptions make copies of a type, and a registry knows those as well. */
const expendable = z.registry<{ isExpendable: true }>()

/** What is wrong with such a field, or with something below it, takes the field away and nothing else. */
export function canBeLeftOut<T extends z.ZodType>(type: T): T {
  expendable.add(type, { isExpendable: true })
  return type
}

/** The answer with what was left out of it: it fits, unless the definition compares fields with each other. */
export interface Rest {
  rest: unknown
  /** Items of the list, as they came. */
  unread: readonly unknown[]
  /** Fields of the items that are left, or of an answer that is no list. */
  fieldsDropped: number
}

/**
 * Undefined when something is wrong that cannot be left out, or when nothing is left of the list, which must not pass for an
 * empty one; a page that comes after others may be empty.
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
    const found = placesOf(type, issue)
    if (found) places.push(...found)
    else if (items === undefined || issue.path[0] !== items || typeof issue.path[1] !== 'number') return undefined
    else bad.add(issue.path[1])
  }
  if (emptiesRecord(type, raw, places)) return undefined
  const { copy, count } = without(
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

/** A record of which nothing is left must not pass for an empty one either. */
function emptiesRecord(type: Type, raw: unknown, places: readonly Path[]): boolean {
  const byHolder = Map.groupBy(places, (path) => JSON.stringify(path.slice(0, -1)))
  return byHolder.values().some((within) => {
    const above = within[0]!.slice(0, -1)
    if (!([...through(type, above)].at(-1)![0] instanceof z.ZodRecord)) return false
    const members = above.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)[key], raw)
    return Object.keys(members as object).length === new Set(within.map((path) => path.at(-1))).size
  })
}

/** Paths of the innermost fields whose absence resolves the issue; undefined when there are none. */
function placesOf(type: Type, issue: z.core.$ZodIssue): Path[] | undefined {
  const passed = [...through(type, issue.path)]
  const [last] = passed.at(-1)!
  if (issue.code === 'invalid_union' && last instanceof z.ZodUnion) {
    const inForm = placesInForm(last, issue.errors)
    if (inForm) return inForm.map((path) => [...issue.path, ...path])
  }
  const field = passed.findLast(([one]) => expendable.get(one) !== undefined)
  return field && [issue.path.slice(0, field[1])]
}

/** Of the first form of a union that the value has but for such fields. */
function placesInForm({ options }: z.ZodUnion, errors: readonly z.core.$ZodIssue[][]): Path[] | undefined {
  for (const [at, issues] of errors.entries()) {
    const places = issues.map((issue) => placesOf(options[at]!, issue))
    if (places.every((found) => found !== undefined)) return places.flat()
  }
  return undefined
}

/** The types on the way along a path, the outer ones first, each with the length of the path to it. */
function* through(type: Type, path: Path, at = 0): Generator<[Type, number]> {
  yield [type, at]
  const inner = unwrapped(type)
  if (inner) yield* through(inner, path, at)
  else if (at < path.length) yield* below(type, path, at)
}

function* below(type: Type, path: Path, at: number): Generator<[Type, number]> {
  if (type instanceof z.ZodUnion) {
    const ways = type.options.map((form) => [...through(form, path, at)])
    // By the form that has a member of that name.
    yield* ways.toSorted((a, b) => b.at(-1)![1] - a.at(-1)![1])[0]!
    return
  }
  const next = memberOf(type, path[at]!)
  if (next) yield* through(next, path, at + 1)
}

function unwrapped(type: Type): Type | undefined {
  if (type instanceof z.ZodPipe) return type.in
  return type instanceof z.ZodOptional || type instanceof z.ZodNullable ? type.unwrap() : undefined
}

function memberOf(type: Type, key: PropertyKey): Type | undefined {
  if (type instanceof z.ZodObject) return type.shape[key as string] as Type | undefined
  if (type instanceof z.ZodArray) return type.element
  return type instanceof z.ZodRecord ? type.valueType : undefined
}

/** A copy without what stands at the paths. A path below another one counts with it. */
function without(value: unknown, paths: readonly Path[]): { copy: unknown; count: number } {
  if (paths.length === 0) return { copy: value, count: 0 }
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<PropertyKey, unknown>
  let count = 0
  for (const [key, some] of Map.groupBy(paths, ([first]) => first!)) {
    if (some.some((path) => path.length === 1)) {
      delete copy[key]
      count += 1
    } else {
      const inner = without(
        copy[key],
        some.map((path) => path.slice(1)),
      )
      copy[key] = inner.copy
      count += inner.count
    }
  }
  return { copy, count }
}

// Answers in their usual form are read at once. zod walks several nodes for each field and makes objects at each of them,
// and a large answer has millions of fields. Whatever has another form is left to zod, which has the words for it.

import { z } from 'zod'

/** Given for a value that has another form than the usual one. */
export const OTHER = Symbol('another form')

/** Gives for a value what its type would give, or OTHER. */
export type Reader = (value: unknown) => unknown

/** A registry knows copies of a type as well: descriptions make them, and checks do. */
const known = z.registry<{ read: Reader; checks: number }>()

/** Says how the type is read at once. */
export function quick<T extends z.ZodType>(type: T, read: Reader): T {
  known.add(type, { read, checks: checksOf(type) })
  return type
}

// oxlint-disable-next-line no-underscore-dangle -- zod has no other way to the checks of any type
function checksOf({ _zod: { def } }: z.core.$ZodType): number {
  return def.checks?.length ?? 0
}

const made = new WeakMap<z.core.$ZodType, Reader>()

/** How the type is read: at once as far as that is known of it, and by zod where it is not. */
export function readerOf(type: z.core.$ZodType): Reader {
  const own = known.get(type)
  // A check that was added to a copy is not in its reader.
  if (own && own.checks === checksOf(type)) return own.read
  let read = made.get(type)
  if (!read) made.set(type, (read = makeReader(type)))
  return read
}

function makeReader(type: z.core.$ZodType): Reader {
  if (type instanceof z.ZodString && checksOf(type) === 1 && type.minLength !== null) return textReader(type.minLength)
  if (checksOf(type) > 0) return byZod(type)
  if (type instanceof z.ZodObject && type.def.catchall === undefined) return objectReader(type)
  if (type instanceof z.ZodArray) return arrayReader(type)
  if (type instanceof z.ZodUnion) return unionReader(type)
  if (type instanceof z.ZodString) return textReader(0)
  if (type instanceof z.ZodBoolean) return (value) => (typeof value === 'boolean' ? value : OTHER)
  return byZod(type)
}

const judges = new WeakMap<z.core.$ZodType, Reader>()

/** The same function for the same type. */
function byZod(type: z.core.$ZodType): Reader {
  const before = judges.get(type)
  if (before) return before
  const judge: Reader = (value) => {
    const { success, data } = z.safeParse(type, value)
    return success ? data : OTHER
  }
  judges.set(type, judge)
  return judge
}

function textReader(least: number): Reader {
  return (value) => (typeof value === 'string' && value.length >= least ? value : OTHER)
}

/** The first form that fits counts: one that is not read at once may fit all the same. */
function unionReader({ options }: z.ZodUnion): Reader {
  const forms = options.map((option) => [readerOf(option), byZod(option)] as const)
  return (value) => {
    for (const [read, judge] of forms) {
      let found = read(value)
      if (found === OTHER && read !== judge) found = judge(value)
      if (found !== OTHER) return found
    }
    return OTHER
  }
}

function objectReader({ shape }: z.ZodObject): Reader {
  const fields = Object.entries(shape).map(([name, type]) => [name, readerOf(type), isRequired(type)] as const)
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return OTHER
    const given = value as Record<string, unknown>
    const object: Record<string, unknown> = {}
    for (const [name, read, mustBe] of fields) {
      const field = read(given[name])
      if (field === OTHER) return OTHER
      if (field !== undefined || name in given) object[name] = field
      else if (mustBe) return OTHER
    }
    return object
  }
}

/** A member that may not be absent. */
// oxlint-disable-next-line no-underscore-dangle -- zod has no other way to tell
function isRequired({ _zod: { optin } }: z.core.$ZodType): boolean {
  return optin === undefined
}

function arrayReader({ element }: z.ZodArray): Reader {
  const read = readerOf(element)
  return (value) => {
    if (!Array.isArray(value)) return OTHER
    const items: unknown[] = []
    for (const one of value) {
      const item = read(one)
      if (item === OTHER) return OTHER
      items.push(item)
    }
    return items
  }
}

// Fields of an answer that its definition does not have: what a new release of an upstream adds, and a definition ignores.

import { z } from 'zod'
import type { Operation } from './define.ts'

type Type = z.core.$ZodType

/** What values of a type may have inside, in any of its forms. */
interface Form {
  /** Undefined where no form is an object of named fields. */
  fields: Map<string, Form> | undefined
  /** Of a list, or of a record with keys of the upstream's choice. */
  items: Form | undefined
  members: Form | undefined
  /** Anything may be inside. */
  isOpen: boolean
}

/** Items of a list that are looked at in one answer. */
const ITEMS = 50
/** Values that are looked at in one answer, however large it is. */
const MOST_VALUES = 5_000
/** Names of one answer; more are no fields of a release. */
const MOST_NAMES = 32

/**
 * Their paths, such as `validators[].autoRenew`. Of a long list it looks at items that are equally far apart, and `turn` says
 * where it begins: successive turns look at all of them.
 */
export function unknownFields(operation: Operation, raw: unknown, turn: number): string[] {
  if (operation.isPartial) return []
  const names = new Set<string>()
  let left = MOST_VALUES

  function visit(form: Form, value: unknown, path: string): void {
    left -= 1
    if (left < 0 || typeof value !== 'object' || value === null || form.isOpen) return
    if (Array.isArray(value)) {
      if (form.items) for (const item of some(value, turn)) visit(form.items, item, `${path}[]`)
      return
    }
    for (const name of some(Object.keys(value), form.fields ? 0 : turn, form.fields ? MOST_VALUES : ITEMS)) {
      if (left < 0 || names.size >= MOST_NAMES) return
      const inner = form.fields?.get(name) ?? form.members
      const own = path === '' ? name : `${path}.${form.fields ? name : '*'}`
      if (inner) visit(inner, (value as Record<string, unknown>)[name], own)
      else if (form.fields) names.add(own)
      left -= 1
    }
  }

  visit(formOf(operation.answer), raw, '')
  return [...names]
}

function* some<T>(all: readonly T[], turn: number, most = ITEMS): Generator<T> {
  const step = Math.ceil(all.length / most)
  for (let at = step > 1 ? turn % step : 0; at < all.length; at += step) yield all[at]!
}

const forms = new WeakMap<Type, Form>()

function formOf(type: Type): Form {
  let form = forms.get(type)
  if (!form) forms.set(type, (form = made(type)))
  return form
}

function made(type: Type): Form {
  const none: Form = { fields: undefined, items: undefined, members: undefined, isOpen: false }
  if (type instanceof z.ZodPipe) return formOf(type.in)
  if (type instanceof z.ZodOptional || type instanceof z.ZodNullable || type instanceof z.ZodDefault) {
    return formOf(type.unwrap())
  }
  if (type instanceof z.ZodUnion) return type.options.map(formOf).reduce(merged)
  if (type instanceof z.ZodArray) return { ...none, items: formOf(type.element) }
  if (type instanceof z.ZodRecord) return { ...none, members: formOf(type.valueType) }
  if (type instanceof z.ZodUnknown) return { ...none, isOpen: true }
  if (!(type instanceof z.ZodObject)) return none
  const fields = Object.entries(type.shape as Record<string, Type>).map(([name, one]) => [name, formOf(one)] as const)
  return { ...none, fields: new Map(fields) }
}

function merged(one: Form, other: Form): Form {
  const either = (a: Form | undefined, b: Form | undefined) => (a && b ? merged(a, b) : (a ?? b))
  const fields = new Map(one.fields)
  for (const [name, form] of other.fields ?? []) fields.set(name, either(one.fields?.get(name), form)!)
  return {
    fields: one.fields || other.fields ? fields : undefined,
    items: either(one.items, other.items),
    members: either(one.members, other.members),
    isOpen: one.isOpen || other.isOpen,
  }
}

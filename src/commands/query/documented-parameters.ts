// The parameters of an operation from its definition, for the help and the reference.

import { z } from 'zod'
import type { Operation } from '../../operations/define.ts'

export interface Parameter {
  name: string
  about: string
  /** `1..100`, `asc, desc`, `number`; `text` is anything. */
  accepts: string
  isList: boolean
  isRequired: boolean
  preset: string | undefined
}

export function parametersOf({ params }: Operation): Parameter[] {
  return Object.entries(params.shape).map(([name, type]) => {
    const absent = z.safeParse(type, undefined)
    return {
      name,
      about: descriptionOf(type),
      ...formOf(type),
      isRequired: !absent.success,
      preset: absent.data === undefined ? undefined : String(absent.data),
    }
  })
}

function descriptionOf(type: z.core.$ZodType): string {
  const own = z.globalRegistry.get(type)?.description
  if (own !== undefined) return own
  return type instanceof z.ZodOptional || type instanceof z.ZodDefault ? descriptionOf(type.unwrap()) : ''
}

function formOf(type: z.core.$ZodType): { accepts: string; isList: boolean } {
  if (type instanceof z.ZodOptional || type instanceof z.ZodDefault) return formOf(type.unwrap())
  return type instanceof z.ZodArray
    ? { accepts: acceptedBy(type.element), isList: true }
    : { accepts: acceptedBy(type), isList: false }
}

function acceptedBy(type: z.core.$ZodType): string {
  if (type instanceof z.ZodEnum) return type.options.join(', ')
  if (type instanceof z.ZodLiteral) return [...type.values].join(', ')
  if (type instanceof z.ZodBoolean) return 'true, false'
  if (type instanceof z.ZodNumber) return range(type.minValue ?? -Infinity, type.maxValue ?? Infinity)
  if (type instanceof z.ZodBigInt) return 'number'
  // The narrower of both types: text read as a number, or a number within a range.
  if (type instanceof z.ZodPipe) return [type.out, type.in].map(acceptedBy).find(isNarrow) ?? 'text'
  if (type instanceof z.ZodUnion) return type.options.map(acceptedBy).find(isNarrow) ?? 'text'
  return 'text'
}

function isNarrow(form: string): boolean {
  return form !== 'text'
}

/** Omits the bounds of JavaScript integers, which are not documented limits. */
function range(min: number, max: number): string {
  const isBelow = max < Number.MAX_SAFE_INTEGER
  if (min <= Number.MIN_SAFE_INTEGER) return isBelow ? `..${max}` : 'number'
  return `${min}..${isBelow ? max : ''}`
}

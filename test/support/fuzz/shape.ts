// Values of a schema's own form: what a mutation of recorded answers hardly ever gets to.

import {
  array,
  bigInt,
  boolean,
  constant,
  constantFrom,
  dictionary,
  double,
  integer,
  maxSafeInteger,
  oneof,
  option,
  record,
  string,
  stringMatching,
  type Arbitrary,
} from 'fast-check'
import { z } from 'zod'
import { rawJson } from '../../../src/lib/raw-json.ts'

type Type = z.core.$ZodType

/** What the wire holds: JSON, its large integers as text of their own. */
export function wireOf(type: Type, depth = 0): Arbitrary<unknown> {
  if (type instanceof z.ZodPipe) return wireOf(type.in, depth)
  if (type instanceof z.ZodOptional) return option(wireOf(type.unwrap(), depth), { nil: undefined })
  if (type instanceof z.ZodNullable) return option(wireOf(type.unwrap(), depth), { nil: null })
  if (type instanceof z.ZodDefault || type instanceof z.ZodPrefault || type instanceof z.ZodCatch) {
    return option(wireOf(type.unwrap(), depth), { nil: undefined })
  }
  if (type instanceof z.ZodLazy) return depth > 5 ? constant(null) : wireOf(type.unwrap(), depth + 1)
  if (type instanceof z.ZodObject) {
    const shape = type.shape as Record<string, Type>
    return record(Object.fromEntries(Object.entries(shape).map(([key, inner]) => [key, wireOf(inner, depth + 1)])))
  }
  if (type instanceof z.ZodArray) return array(wireOf(type.element, depth + 1), { maxLength: 2 })
  if (type instanceof z.ZodRecord)
    return dictionary(string({ maxLength: 8 }), wireOf(type.valueType, depth + 1), { maxKeys: 3 })
  if (type instanceof z.ZodUnion) return oneof(...type.options.map((one) => wireOf(one, depth)))
  if (type instanceof z.ZodEnum) return constantFrom(...type.options)
  if (type instanceof z.ZodLiteral) return constantFrom(...type.values)
  if (type instanceof z.ZodBoolean) return boolean()
  if (type instanceof z.ZodBigInt)
    return bigInt({ min: 0n, max: 2n ** 256n - 1n }).map((value) => rawJson(String(value)))
  if (type instanceof z.ZodNumber) return numberOf(type)
  if (type instanceof z.ZodString || type instanceof z.ZodStringFormat) return textOf(type)
  return constantFrom(null, 'text', 1, true, '{"config":{"chainId":1}}')
}

function numberOf({ format, minValue, maxValue }: z.ZodNumber): Arbitrary<unknown> {
  const isInteger = format === 'safeint' || Number.isInteger(minValue)
  if (!isInteger) return double({ noNaN: true, noDefaultInfinity: true })
  const [min, max] = [Math.max(minValue ?? -1e9, -1e9), Math.min(maxValue ?? 1e15, 1e15)]
  return min > max
    ? maxSafeInteger()
    : oneof(integer({ min: Math.max(min, -(2 ** 31)), max: Math.min(max, 2 ** 31 - 1) }), constantFrom(min, max))
}

function textOf(type: Type): Arbitrary<unknown> {
  const { pattern, allOf = [] } = z.toJSONSchema(type)
  const matching = [pattern, ...allOf.map((one) => one.pattern)].flatMap((source) => {
    try {
      return source === undefined ? [] : [stringMatching(new RegExp(source))]
    } catch {
      return []
    }
  })
  return oneof(
    ...matching,
    constantFrom('0', '1', '12345', '0x1f', '2026-07-28T15:00:00Z', 'PlatformVM', 'avax', 'text'),
  )
}

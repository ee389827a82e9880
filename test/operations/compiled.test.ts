// A long list, which a compiled type parses, gives what its items give one by one, which plain zod parses: handwritten
// items, recorded ones, and items made up from the definitions.

import { sample } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Operation, parseAnswer } from '../../src/operations/define.ts'
import { operations } from '../../src/operations/index.ts'
import { parseJson } from '../../src/upstream/json.ts'
import { wireOf } from '../support/fuzz/shape.ts'
import { recorded } from '../recorded/recorded.ts'
import { casesOf, textOf } from './cases.ts'

/** Longer than a list that is parsed without compiling, and shorter than a slice. */
const LONG = 150

type List = readonly unknown[]

const withList = ({ items }: Operation, raw: unknown, list: List) => ({ ...(raw as object), [items!]: list })

function listOf({ items }: Operation, raw: unknown): List {
  const list = (Object(raw) as Record<string, unknown>)[items!]
  return Array.isArray(list) ? list : []
}

/** What plain zod makes of one item; undefined when it refuses the item. */
function parseAlone(operation: Operation, raw: unknown, item: unknown) {
  try {
    const { value, fieldsDropped } = parseAnswer(operation, withList(operation, raw, [item]))
    return { items: listOf(operation, value), fieldsDropped }
  } catch (error) {
    if (error instanceof z.ZodError) return undefined
    throw error
  }
}

type Alone = ReadonlyMap<unknown, ReturnType<typeof parseAlone>>

/** What a list of the items gives, and what they give one by one. They are repeated until the list is long. */
function readBoth(operation: Operation, raw: unknown, some: List, ofItem: Alone) {
  const list = Array.from({ length: Math.max(LONG, some.length) }, (_, at) => some[at % some.length])
  const { value, dropped, fieldsDropped } = parseAnswer(operation, withList(operation, raw, list))
  const each = list.map((item) => ofItem.get(item))
  const alone = {
    items: each.flatMap((one) => one?.items ?? []),
    dropped: each.filter((one) => !one).length,
    fieldsDropped: each.reduce((sum, one) => sum + (one?.fieldsDropped ?? 0), 0),
  }
  return { together: { items: listOf(operation, value), dropped, fieldsDropped }, alone }
}

function readAll(operation: Operation, raws: List) {
  return raws.flatMap((raw) => {
    const all = listOf(operation, raw)
    const ofItem = new Map(all.map((item) => [item, parseAlone(operation, raw, item)]))
    const good = all.filter((item) => ofItem.get(item)?.fieldsDropped === 0)
    // One bad item makes zod parse the whole list again without compiled code, so good items are read without bad ones, too.
    return good.length === 0 ? [] : [good, all].map((some) => readBoth(operation, raw, some, ofItem))
  })
}

/** The item without the members that plain zod refuses. */
function repaired(operation: Operation, raw: unknown, item: unknown): unknown {
  const { error } = operation.answer.safeParse(withList(operation, raw, [item]))
  const bad = new Set(error?.issues.map(({ path }) => path[2]))
  return Object.fromEntries(Object.entries(Object(item)).filter(([key]) => !bad.has(key)))
}

const cased = (await casesOf(operations)).filter(({ operation }) => operation.items !== undefined)

describe.each(cased.map((one) => [one.operation.name, one] as const))('%s', (name, { operation, cases }) => {
  test('has a type that zod can compile', () => {
    expect(() => z.compile(operation.answer, { strict: true })).not.toThrow()
  })

  const written = cases.answers.map((answering) => parseJson(textOf(answering), operation.integers))

  test('gives the same for handwritten and recorded items', () => {
    const results = recorded.filter(({ of }) => of === name).map(({ response }) => Object(response).result as unknown)
    const read = readAll(operation, [...written, ...results])
    expect(read).not.toEqual([])
    expect(read.map(({ together }) => together)).toStrictEqual(read.map(({ alone }) => alone))
  })

  test('gives the same for items made up from the definition', () => {
    const made = sample(wireOf(operation.answer), { numRuns: 200, seed: 7 })
    const raws = made.map((raw) => parseJson(JSON.stringify(raw) ?? 'null', operation.integers))
    const items = raws.flatMap((raw) => listOf(operation, raw))
    expect(items.length).toBeGreaterThan(100)
    const [rest] = written
    const all = [...items, ...items.map((item) => repaired(operation, rest, item))]
    const read = readAll(operation, [withList(operation, rest, all)])
    expect(read).not.toEqual([])
    expect(read.map(({ together }) => together)).toStrictEqual(read.map(({ alone }) => alone))
  })
})

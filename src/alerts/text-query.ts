// The queries in the texts of alerts: the part of PromQL that they use.

import type { Reading } from '../conditions/board.ts'
import { labelKey, sortedLabels } from '../lib/label-text.ts'

const TOKEN = /"(?:[^"\\]|\\.)*"|[A-Za-z_]\w*|\d+(?:\.\d+)?|==|!=|[^\s]/g
const AGGREGATES: readonly string[] = ['max', 'count']
/** What Prometheus adds to samples, and an instance does not know of its own. */
const OF_TARGET: readonly string[] = ['job', 'instance', 'pod']

type Operand = number | readonly Reading[]
type ReadingsOf = (metric: string) => readonly Reading[]

/** `now` is in seconds since the epoch. Throws for any other query. */
export const queryOf =
  (readings: ReadingsOf, now: number) =>
  (text: string): readonly Reading[] => {
    const tokens = text.match(TOKEN) ?? []
    const result = readAnd({ readings, now, tokens, text })
    if (tokens.length > 0 || typeof result === 'number') throw unknownQuery(text)
    return result
  }

interface Source {
  readings: ReadingsOf
  now: number
  /** What is left of the text. */
  tokens: string[]
  text: string
}

const unknownQuery = (text: string) => new Error(`this query is not known: ${text}`)

function take({ tokens, text }: Source, wanted: string): void {
  if (tokens.shift() !== wanted) throw unknownQuery(text)
}

function takeIf({ tokens }: Source, wanted: string): boolean {
  if (tokens[0] !== wanted) return false
  tokens.shift()
  return true
}

function vectorOf(source: Source, operand: Operand): readonly Reading[] {
  if (typeof operand === 'number') throw unknownQuery(source.text)
  return operand
}

const idOf = ({ labels }: Reading) => labelKey(sortedLabels(Object.entries(labels)))

function readAnd(source: Source): Operand {
  const left = readCompared(source)
  if (!takeIf(source, 'and')) return left
  const ids = new Set(vectorOf(source, readCompared(source)).map(idOf))
  return vectorOf(source, left).filter((one) => ids.has(idOf(one)))
}

function readCompared(source: Source): Operand {
  const left = readDifference(source)
  const isFound = takeIf(source, '==')
    ? (limit: number) => (value: number) => value === limit
    : takeIf(source, '>')
      ? (limit: number) => (value: number) => value > limit
      : undefined
  if (!isFound) return left
  const is = isFound(Number(source.tokens.shift()))
  return vectorOf(source, left).filter(({ value }) => is(value))
}

function readDifference(source: Source): Operand {
  const left = readProduct(source)
  return takeIf(source, '-') ? combined(left, readProduct(source), (a, b) => a - b) : left
}

function readProduct(source: Source): Operand {
  let left = readOperand(source)
  for (;;) {
    if (takeIf(source, '*')) left = combined(left, readOperand(source), (a, b) => a * b)
    else if (takeIf(source, '/')) left = combined(left, readOperand(source), (a, b) => a / b)
    else return left
  }
}

function combined(left: Operand, right: Operand, of: (a: number, b: number) => number): Operand {
  if (typeof right === 'number') {
    return typeof left === 'number'
      ? of(left, right)
      : left.map(({ labels, value }) => ({ labels, value: of(value, right) }))
  }
  if (typeof left === 'number') return right.map(({ labels, value }) => ({ labels, value: of(left, value) }))
  const others = new Map(right.map((one) => [idOf(one), one.value]))
  return left.flatMap((one) => {
    const other = others.get(idOf(one))
    return other === undefined ? [] : [{ labels: one.labels, value: of(one.value, other) }]
  })
}

function readOperand(source: Source): Operand {
  const { tokens } = source
  const word = tokens.shift() ?? ''
  if (/^\d/.test(word)) return Number(word)
  if (word === '(') return closed(source)
  if (word === 'time') {
    take(source, '(')
    take(source, ')')
    return source.now
  }
  if (word === 'ceil') {
    take(source, '(')
    return vectorOf(source, closed(source)).map(({ labels, value }) => ({ labels, value: Math.ceil(value) }))
  }
  if (word === 'topk') {
    take(source, '(')
    const most = Number(tokens.shift())
    take(source, ',')
    return vectorOf(source, closed(source))
      .toSorted((a, b) => b.value - a.value)
      .slice(0, most)
  }
  return AGGREGATES.includes(word) ? aggregated(source, word) : selected(source, word)
}

/** The rest of what is in parentheses. */
function closed(source: Source): Operand {
  const inner = readAnd(source)
  take(source, ')')
  return inner
}

function aggregated(source: Source, how: string): readonly Reading[] {
  const by = takeIf(source, 'by') ? labelNames(source) : []
  take(source, '(')
  const groups = Map.groupBy(vectorOf(source, closed(source)), ({ labels }) =>
    JSON.stringify(by.map((name) => labels[name] ?? '')),
  )
  return Array.from(groups.values(), (some) => ({
    labels: Object.fromEntries(by.map((name) => [name, some[0]!.labels[name] ?? ''])),
    value: how === 'count' ? some.length : Math.max(...some.map(({ value }) => value)),
  }))
}

function labelNames(source: Source): string[] {
  const names: string[] = []
  take(source, '(')
  do names.push(source.tokens.shift() ?? '')
  while (takeIf(source, ','))
  take(source, ')')
  return names
}

function selected(source: Source, metric: string): readonly Reading[] {
  const matchers: { name: string; isEqual: boolean; value: string }[] = []
  if (!/^[a-z]\w*$/.test(metric)) throw unknownQuery(source.text)
  take(source, '{')
  do {
    const name = source.tokens.shift() ?? ''
    const isEqual = !takeIf(source, '!=')
    if (isEqual) take(source, '=')
    const value = source.tokens.shift() ?? ''
    if (!value.startsWith('"')) throw unknownQuery(source.text)
    matchers.push({ name, isEqual, value: JSON.parse(value) as string })
  } while (takeIf(source, ','))
  take(source, '}')
  return source.readings(metric).filter(({ labels }) =>
    matchers.every(({ name, isEqual, value }) => {
      const own = labels[name]
      return own === undefined && OF_TARGET.includes(name) ? true : ((own ?? '') === value) === isEqual
    }),
  )
}

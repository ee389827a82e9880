// Parses PromQL to plain data. Unsupported expressions are errors here, before any evaluation.

import type { SyntaxNode } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'
import { aggregations } from './aggregate.ts'
import { operators } from './binary.ts'
import type { Aggregate, Binary, Call, Expression, Matcher, Matching, Selector, Subquery } from './expression.ts'
import { functions } from './functions.ts'
import { anchored } from './pattern.ts'

/** Default step of a subquery in milliseconds: the evaluation interval of the rules. */
const DEFAULT_STEP = 60_000

/** Throws an Error that names the unsupported part. */
export function parsePromql(text: string): Expression {
  const tree = parser.parse(text)
  const cursor = tree.cursor()
  do {
    if (cursor.type.isError) throw new Error(`PromQL: syntax error at character ${cursor.from} of ${text}`)
  } while (cursor.next())
  return read(tree.topNode.firstChild!, text)
}

const wordOf = ({ from, to }: SyntaxNode, text: string) => text.slice(from, to)

export const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const all: SyntaxNode[] = []
  for (let child = node.firstChild; child; child = child.nextSibling) all.push(child)
  return all
}

function read(node: SyntaxNode, text: string): Expression {
  switch (node.name) {
    case 'NumberDurationLiteral':
      return { kind: 'number', value: numberOf(wordOf(node, text)) }
    case 'StringLiteral':
      return { kind: 'string', value: stringOf(wordOf(node, text)) }
    case 'ParenExpr':
      return read(node.firstChild!, text)
    case 'UnaryExpr': {
      const of = read(node.lastChild!, text)
      return wordOf(node.firstChild!, text) === '-' ? { kind: 'negative', of } : of
    }
    case 'VectorSelector':
      return selectorOf(node, text)
    case 'MatrixSelector':
      return { kind: 'range', selector: selectorOf(node.firstChild!, text), range: durationOf(node.lastChild!, text) }
    case 'SubqueryExpr':
      return subqueryOf(node, text)
    case 'OffsetExpr':
      return offsetOf(node, text)
    case 'AggregateExpr':
      return aggregateOf(node, text)
    case 'BinaryExpr':
      return binaryOf(node, text)
    case 'FunctionCall':
      return callOf(node, text)
    default:
      throw new Error(`PromQL: ${node.name} is not supported: ${wordOf(node, text)}`)
  }
}

function selectorOf(node: SyntaxNode, text: string): Selector {
  const list = node.getChild('LabelMatchers')
  const matchers = (list ? childrenOf(list) : []).map((one) => {
    if (one.name !== 'UnquotedLabelMatcher')
      throw new Error(`PromQL: ${one.name} is not supported: ${wordOf(one, text)}`)
    const [label, operator, value] = childrenOf(one).map((part) => wordOf(part, text))
    return matcherOf(label!, operator!, stringOf(value!))
  })
  const named = matchers.find(({ label, equal }) => label === '__name__' && equal !== undefined)
  const identifier = node.getChild('Identifier')
  const name = identifier ? wordOf(identifier, text) : named?.equal
  if (name === undefined) throw new Error(`PromQL: a selector without the name of a metric is not supported: ${text}`)
  return { kind: 'selector', name, matchers: matchers.filter((one) => one !== named), offset: 0 }
}

function matcherOf(label: string, operator: string, value: string): Matcher {
  if (operator === '=') return { label, equal: value, fits: (one) => one === value }
  if (operator === '!=') return { label, fits: (one) => one !== value }
  const pattern = anchored(value)
  return { label, fits: operator === '=~' ? (one) => pattern.test(one) : (one) => !pattern.test(one) }
}

function subqueryOf(node: SyntaxNode, text: string): Subquery {
  const [of, range, step] = childrenOf(node)
  return {
    kind: 'subquery',
    of: read(of!, text),
    range: durationOf(range!, text),
    step: step ? durationOf(step, text) : DEFAULT_STEP,
    offset: 0,
  }
}

function offsetOf(node: SyntaxNode, text: string): Expression {
  const of = read(node.firstChild!, text)
  const offset = durationOf(node.lastChild!, text)
  if (of.kind === 'selector' || of.kind === 'subquery') return { ...of, offset }
  if (of.kind === 'range') return { ...of, selector: { ...of.selector, offset } }
  throw new Error(`PromQL: offset is for selectors: ${wordOf(node, text)}`)
}

function aggregateOf(node: SyntaxNode, text: string): Aggregate {
  const operator = wordOf(node.getChild('AggregateOp')!, text).toLowerCase()
  const takesParameter = aggregations.get(operator)
  const parts = childrenOf(node.getChild('FunctionCallBody')!).map((one) => read(one, text))
  if (takesParameter === undefined || parts.length !== (takesParameter ? 2 : 1)) {
    throw new Error(`PromQL: this aggregation is not supported: ${wordOf(node, text)}`)
  }
  const modifier = node.getChild('AggregateModifier')
  const labels = modifier ? labelsOf(modifier.getChild('GroupingLabels')!, text) : []
  return {
    kind: 'aggregate',
    operator,
    ...(takesParameter && { parameter: parts[0]! }),
    of: parts.at(-1)!,
    grouping: { keep: !modifier?.getChild('Without'), labels },
  }
}

const labelsOf = (list: SyntaxNode, text: string) => childrenOf(list).map((one) => wordOf(one, text))

function binaryOf(node: SyntaxNode, text: string): Binary {
  const [left, operator, ...rest] = childrenOf(node)
  const name = wordOf(operator!, text).toLowerCase()
  if (!operators.has(name)) throw new Error(`PromQL: the operator ${name} is not supported: ${wordOf(node, text)}`)
  const modifier = rest.find((one) => one.name === 'MatchingModifierClause')
  if (rest.some(({ name: kind }) => kind.startsWith('Fill'))) throw new Error(`PromQL: fill is not supported: ${text}`)
  return {
    kind: 'binary',
    operator: name,
    left: read(left!, text),
    right: read(rest.at(-1)!, text),
    bool: rest.some((one) => one.name === 'BoolModifier'),
    matching: modifier ? matchingOf(modifier, text) : { on: false, labels: [], include: [] },
  }
}

function matchingOf(modifier: SyntaxNode, text: string): Matching {
  const [labels, include] = modifier.getChildren('GroupingLabels').map((one) => labelsOf(one, text))
  const many = modifier.getChild('GroupLeft') ? 'left' : modifier.getChild('GroupRight') ? 'right' : undefined
  return { on: modifier.getChild('On') !== null, labels: labels!, include: include ?? [], ...(many && { many }) }
}

function callOf(node: SyntaxNode, text: string): Call {
  const name = wordOf(node.getChild('FunctionIdentifier')!, text)
  const args = childrenOf(node.getChild('FunctionCallBody')!).map((one) => read(one, text))
  const takes = functions.get(name)?.takes
  if (!takes) throw new Error(`PromQL: the function ${name} is not supported: ${wordOf(node, text)}`)
  if (!fits(args, takes)) throw new Error(`PromQL: ${name} does not take these arguments: ${wordOf(node, text)}`)
  return { kind: 'call', name, args }
}

/** Whether the arguments are of these kinds: a range, a string, or an instant value. */
function fits(args: readonly Expression[], takes: readonly string[]): boolean {
  if (args.length !== takes.length) return false
  return args.every((arg, at) => {
    const kind = takes[at]
    if (kind === 'range') return arg.kind === 'range' || arg.kind === 'subquery'
    if (kind === 'string') return arg.kind === 'string'
    return arg.kind !== 'range' && arg.kind !== 'subquery' && arg.kind !== 'string'
  })
}

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
}

/** Milliseconds of `1h30m`, or of `-5m`. */
function durationOf(node: SyntaxNode, text: string): number {
  return numberOf(wordOf(node, text).replaceAll(/[[\]:\s]/g, '')) * 1_000
}

/** A number, or the seconds of a duration. */
export function numberOf(word: string): number {
  if (word.startsWith('-')) return -numberOf(word.slice(1))
  if (word.startsWith('+')) return numberOf(word.slice(1))
  if (/^inf$/i.test(word)) return Infinity
  if (/^nan$/i.test(word)) return NaN
  if (/^(\d+(ms|[smhdwy]))+$/.test(word)) {
    const parts = [...word.matchAll(/(\d+)(ms|[smhdwy])/g)]
    return parts.reduce((sum, [, count, unit]) => sum + Number(count) * units[unit!]!, 0) / 1_000
  }
  const value = Number(word.replaceAll('_', ''))
  if (Number.isNaN(value)) throw new Error(`PromQL: ${word} is no number`)
  return value
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

export function stringOf(word: string): string {
  const inner = word.slice(1, -1)
  return word.startsWith('`') ? inner : inner.replaceAll(/\\(.)/gs, (_, one: string) => escapes[one] ?? one)
}

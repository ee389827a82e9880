// Compares two PromQL expressions. Space, comments, needless parentheses and the spelling of numbers and durations make no
// difference.

import type { SyntaxNode } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'
import { lengthOf, unquoted } from '../monitoring/foreign.ts'

interface Part {
  name: string
  value: string
  parts: readonly Part[]
  /** As it was written, in one line. */
  text: string
}

export interface Difference {
  left: string
  right: string
}

/** The smallest part that differs; undefined if the expressions mean the same. */
export function differenceOf(left: string, right: string): Difference | undefined {
  return between(partOf(parser.parse(left).topNode, left), partOf(parser.parse(right).topNode, right))
}

function between(left: Part, right: Part): Difference | undefined {
  const all = { left: left.text, right: right.text }
  if (left.name !== right.name || left.value !== right.value || left.parts.length !== right.parts.length) return all
  const found = left.parts.flatMap((part, at) => between(part, right.parts[at]!) ?? [])
  return found.length > 1 ? all : found[0]
}

const NUMBERS = new Set(['NumberDurationLiteral', 'NumberDurationLiteralInDurationContext'])
const NAMES = new Set(['Identifier', 'LabelName', 'QuotedLabelName'])
/** Their order makes no difference. */
const UNORDERED = new Set(['LabelMatchers', 'GroupingLabels'])

/** Our rules nest less. What is deeper is compared as text, as a loaded rule may nest without end. */
const DEEPEST = 200

function partOf(node: SyntaxNode, source: string, depth = 0): Part {
  const text = source.slice(node.from, node.to)
  if (depth > DEEPEST) return { name: node.name, value: text, parts: [], text: inOneLine(text) }
  // `group_left ()` is `group_left`, and `a{}` is `a`.
  const isEmpty = (child: SyntaxNode) => UNORDERED.has(child.name) && !child.firstChild
  const children = childrenOf(node).filter((child) => child.name !== 'LineComment' && !isEmpty(child))
  if (node.name === 'ParenExpr') return partOf(children[0]!, source, depth + 1)
  // `sum (x) by (a)` is `sum by (a) (x)`.
  if (node.name === 'AggregateExpr') children.sort((a, b) => a.name.localeCompare(b.name))
  const parts = children.map((child) => partOf(child, source, depth + 1))
  if (UNORDERED.has(node.name)) parts.sort((a, b) => a.text.localeCompare(b.text))
  return { name: node.name, value: valueOf(node.name, text), parts, text: inOneLine(text) }
}

/** What a leaf says beyond its kind, in one spelling. */
function valueOf(name: string, text: string): string {
  if (NUMBERS.has(name)) return String(numberOf(text))
  if (name === 'StringLiteral') return stringOf(text)
  return NAMES.has(name) ? text : ''
}

const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const all: SyntaxNode[] = []
  for (let child = node.firstChild; child; child = child.nextSibling) all.push(child)
  return all
}

/** A number, or the seconds of a duration. */
function numberOf(word: string): number {
  if (word.startsWith('-')) return -numberOf(word.slice(1))
  if (word.startsWith('+')) return numberOf(word.slice(1))
  if (/^inf$/i.test(word)) return Infinity
  if (/^nan$/i.test(word)) return NaN
  const length = lengthOf(word)
  if (length !== undefined) return length / 1_000
  const value = Number(word.replaceAll('_', ''))
  if (Number.isNaN(value)) throw new Error(`PromQL: ${word} is no number`)
  return value
}

function stringOf(word: string): string {
  const inner = word.slice(1, -1)
  return word.startsWith('`') ? inner : unquoted(inner)
}

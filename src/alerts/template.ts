// Renders the texts of alerts: the subset of Go templates that the rules use, with the output of Prometheus.

import type { Reading } from '../conditions/board.ts'
import { functions, textOf, type Value } from './template-functions.ts'

export interface TemplateData {
  labels: Readonly<Record<string, string>>
  value: number
  /** The samples that a selector finds at the time of the alert. */
  query: (selector: string) => readonly Reading[]
}

type Term =
  | { kind: 'literal'; value: Value }
  | { kind: 'label'; name: string }
  | { kind: 'value' }
  | { kind: 'dot' }
  | { kind: 'call'; name: string; args: readonly Term[] }

type Block = 'if' | 'with'

type Part =
  | { kind: 'text'; text: string }
  | { kind: 'output'; term: Term }
  | { kind: Block; term: Term; yes: readonly Part[]; no: readonly Part[] }

export type Template = readonly Part[]

/** The one function that needs more than its arguments: it queries. */
const QUERY = 'query'

/** Throws an Error that names unsupported syntax. */
export function parseTemplate(text: string): Template {
  const tokens = tokensOf(text)
  const parts = readParts(tokens)
  if (tokens.length > 0) throw new Error(`template: unexpected {{ ${tokens[0]!.text} }}`)
  return parts
}

interface Token {
  isAction: boolean
  text: string
}

/** A quoted text may contain braces. */
function tokensOf(text: string): Token[] {
  return text.split(/\{\{((?:"(?:[^"\\]|\\.)*"|[^}"])*)\}\}/).flatMap((piece, at) => {
    const isAction = at % 2 === 1
    if (!isAction && piece === '') return []
    return { isAction, text: isAction ? piece.trim() : piece }
  })
}

/** Parses up to the end of the text, or to an action that ends or splits a block. */
function readParts(tokens: Token[]): Part[] {
  const parts: Part[] = []
  for (let token = tokens[0]; token && !(token.isAction && /^(end|else)\b/.test(token.text)); token = tokens[0]) {
    tokens.shift()
    const [, word, rest] = /^(if|with) (.*)$/.exec(token.text) ?? []
    if (!token.isAction) parts.push({ kind: 'text', text: token.text })
    else if (word) parts.push(readBlock(word as Block, rest!, tokens))
    else parts.push({ kind: 'output', term: readTerm(token.text) })
  }
  return parts
}

function readBlock(kind: Block, condition: string, tokens: Token[]): Part {
  const yes = readParts(tokens)
  const next = tokens.shift()?.text
  if (next === undefined) throw new Error(`template: {{ ${kind} ${condition} }} has no end`)
  const [, inner, rest] = /^else (if|with) (.*)$/.exec(next) ?? []
  let no: Part[] = []
  // `else if` shares the end of the block that it belongs to.
  if (inner) no = [readBlock(inner as 'if' | 'with', rest!, tokens)]
  else if (next === 'else') {
    no = readParts(tokens)
    if (tokens.shift()?.text !== 'end') throw new Error(`template: {{ ${kind} ${condition} }} has no end`)
  }
  return { kind, term: readTerm(condition), yes, no }
}

const WORD = /"(?:[^"\\]|\\.)*"|\(|\)|\||[^\s()|]+/g

/** A pipeline passes each result to the next step as its last argument. */
function readTerm(text: string): Term {
  const words = text.match(WORD) ?? []
  const term = readPipeline(words)
  if (words.length > 0) throw new Error(`template: unexpected ${words[0]} in {{ ${text} }}`)
  return term
}

function readPipeline(words: string[]): Term {
  let term = readCall(words)
  while (words[0] === '|') {
    words.shift()
    const next = readCall(words)
    if (next.kind !== 'call') throw new Error('template: a pipeline leads to functions')
    term = { ...next, args: [...next.args, term] }
  }
  return term
}

function readCall(words: string[]): Term {
  const first = readOperand(words)
  if (first.kind !== 'call' || first.args.length > 0) return first
  const args: Term[] = []
  while (words.length > 0 && words[0] !== ')' && words[0] !== '|') args.push(readOperand(words))
  return { ...first, args }
}

function readOperand(words: string[]): Term {
  const word = words.shift()
  if (word === '(') {
    const term = readPipeline(words)
    if (words.shift() !== ')') throw new Error('template: a parenthesis is not closed')
    return term
  }
  if (word === undefined) throw new Error('template: an action is empty')
  if (word === '.') return { kind: 'dot' }
  if (word === '$value') return { kind: 'value' }
  if (word.startsWith('$labels.')) return { kind: 'label', name: word.slice('$labels.'.length) }
  if (word.startsWith('"')) return { kind: 'literal', value: JSON.parse(word) as string }
  if (/^-?\d+(\.\d+)?(e\d+)?$/.test(word)) return { kind: 'literal', value: Number(word) }
  if (word === QUERY || functions.has(word)) return { kind: 'call', name: word, args: [] }
  throw new Error(`template: ${word} is not known`)
}

export function render(template: Template, data: TemplateData, dot: Value = ''): string {
  return template
    .map((part) => {
      if (part.kind === 'text') return part.text
      const value = valueOf(part.term, data, dot)
      if (part.kind === 'output') return shown(value)
      const isTrue = Array.isArray(value) ? value.length > 0 : Boolean(value)
      return render(isTrue ? part.yes : part.no, data, isTrue && part.kind === 'with' ? value : dot)
    })
    .join('')
}

function valueOf(term: Term, data: TemplateData, dot: Value): Value {
  switch (term.kind) {
    case 'literal':
      return term.value
    case 'label':
      return data.labels[term.name] ?? ''
    case 'value':
      return data.value
    case 'dot':
      return dot
    default: {
      const args = term.args.map((arg) => valueOf(arg, data, dot))
      return term.name === QUERY ? data.query(textOf(args[0]!)) : functions.get(term.name)!(...args)
    }
  }
}

/** As Go prints it. */
function shown(value: Value): string {
  if (typeof value !== 'number') return textOf(value)
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
  const size = Math.abs(value)
  const text = size !== 0 && (size < 1e-4 || size >= 1e21) ? value.toExponential() : String(value)
  return text.replace(/e([+-])(\d)$/, 'e$10$2')
}

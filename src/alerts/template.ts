// Renders the texts of alerts: the subset of Go templates that the rules use, with the output of Prometheus.

import type { Reading } from '../conditions/board.ts'

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
  if (inner) no = [readBlock(inner as Block, rest!, tokens)]
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
  const text = size !== 0 && (size < 1e-4 || size >= 1e6) ? value.toExponential() : String(value)
  return text.replace(/e([+-])(\d)$/, 'e$10$2')
}

export type Value = string | number | boolean | readonly Reading[] | Reading

/** A whole vector has no text: none of our templates prints one. */
const textOf = (value: Value) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** Go's %.4g: four significant digits, and an exponent for very large or small numbers. */
function fourDigits(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
  if (value === 0) return '0'
  const [digits = '', exponent = '0'] = exponential(value).split('e')
  const power = Number(exponent)
  if (power < -4 || power >= 4) {
    const sign = power < 0 ? '-' : '+'
    return `${Number(digits)}e${sign}${String(Math.abs(power)).padStart(2, '0')}`
  }
  return String(Number(exponential(value)))
}

/** Go rounds halves to even; JavaScript rounds them away from 0. */
function exponential(value: number): string {
  const [, even, exponent] = /^(-?\d\.\d\d[02468])50*e(.*)$/.exec(value.toExponential(20)) ?? []
  return even === undefined ? value.toExponential(3) : `${even}e${exponent}`
}

const LARGE = ['k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y']
const SMALL = ['m', 'u', 'n', 'p', 'f', 'a', 'z', 'y']

/** Scales a number by powers of 1,000 and appends its unit prefix. */
function humanize(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return fourDigits(value)
  const isLarge = Math.abs(value) >= 1
  const by = isLarge ? 1 / 1_000 : 1_000
  let [left, prefix] = [value, '']
  for (const next of isLarge ? LARGE : SMALL) {
    if (isLarge ? Math.abs(left) < 1_000 : Math.abs(left) >= 1) break
    prefix = next
    left *= by
  }
  return `${fourDigits(left)}${prefix}`
}

function humanizeDuration(value: number): string {
  if (!Number.isFinite(value)) return fourDigits(value)
  if (Math.abs(value) < 1) return `${humanize(value)}s`
  const sign = value < 0 ? '-' : ''
  const whole = Math.trunc(Math.abs(value))
  const days = Math.floor(whole / 86_400)
  const hours = Math.floor(whole / 3_600) % 24
  const minutes = Math.floor(whole / 60) % 60
  const seconds = `${whole % 60}s`
  if (days > 0) return `${sign}${days}d ${hours}h ${minutes}m ${seconds}`
  if (hours > 0) return `${sign}${hours}h ${minutes}m ${seconds}`
  if (minutes > 0) return `${sign}${minutes}m ${seconds}`
  return `${fourDigits(value)}s`
}

/** The greatest time of Go in nanoseconds, in seconds: beyond it Prometheus has no time. */
const LATEST = 2 ** 63 / 1e9

/** The format in which Go prints a UTC time, to the millisecond. */
function humanizeTimestamp(value: number): string {
  if (!(Math.abs(value) < LATEST)) return fourDigits(value)
  const [day, time = ''] = new Date(Math.round(value * 1_000)).toISOString().split('T')
  return `${day} ${time.replace(/(\.\d*?)0*Z$/, '$1').replace(/\.$/, '')} +0000 UTC`
}

type Of = (...args: readonly Value[]) => Value

const ofNumber =
  (make: (value: number) => string): Of =>
  (value) =>
    make(Number(value))

/** The verbs of Go's printf that the rules use: %s, %q for quoted text, and %.2f for a number with that many decimals. */
function printf(format: Value, ...args: readonly Value[]): string {
  const left = [...args]
  return textOf(format).replaceAll(/%(?:([sq])|\.(\d+)f)/g, (_, verb: string | undefined, decimals: string) => {
    const next = left.shift() ?? ''
    if (verb === undefined) return Number(next).toFixed(Number(decimals))
    const text = textOf(next)
    return verb === 'q' ? JSON.stringify(text) : text
  })
}

/** Those of Prometheus. */
const functions: ReadonlyMap<string, Of> = new Map<string, Of>([
  ['eq', (first, ...others) => others.some((one) => one === first)],
  ['ne', (first, other) => first !== other],
  ['gt', (a, b) => Number(a) > Number(b)],
  ['lt', (a, b) => Number(a) < Number(b)],
  ['or', (...all) => all.find(Boolean) ?? all.at(-1)!],
  ['humanize', ofNumber(humanize)],
  ['humanizeDuration', ofNumber(humanizeDuration)],
  ['humanizeTimestamp', ofNumber(humanizeTimestamp)],
  ['humanizePercentage', ofNumber((value) => `${fourDigits(value * 100)}%`)],
  ['printf', printf],
  ['reReplaceAll', (pattern, by, text) => textOf(text).replaceAll(new RegExp(textOf(pattern), 'g'), textOf(by))],
  ['first', (samples) => (samples as readonly Reading[])[0]!],
  ['label', (name, sample) => (sample as Reading).labels[textOf(name)] ?? ''],
  ['value', (sample) => (sample as Reading).value],
])

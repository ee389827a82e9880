// A reader of the text format and of OpenMetrics of its own: it knows the formats from their definitions, and nothing of
// the code that writes them.

import type { Series } from './define.ts'

export interface Exposition {
  /** By their text, name and labels. */
  series: ReadonlyMap<string, Series>
  /** By the name that the series have, those of a histogram by the name of the histogram. */
  types: ReadonlyMap<string, string>
  flaws: string[]
}

export type Format = 'text' | 'openmetrics'

/** Bytes of the value of a label: what is longer came from outside and was not bounded. */
const LONGEST_VALUE = 256
const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/
const VALUE = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/
const TYPES = new Set([
  'counter',
  'gauge',
  'histogram',
  'summary',
  'untyped',
  'unknown',
  'info',
  'stateset',
  'gaugehistogram',
])

interface Line {
  text: string
  sample: Sample | string
}

interface Sample {
  key: string
  identity: Identity
  isNumber: boolean
  one: Series
}

interface Identity {
  name: string
  base: string
  labels: Record<string, string>
  /** The same for all texts that mean the same series. */
  id: string
  /** Of a bucket: the histogram that it belongs to. */
  group: string
}

/** Reads many expositions: what a series is called is worked out once. */
export function createReader() {
  const known = new Map<string, Identity | string>()
  /** Most lines are those of the scrape before, in their places: what they say is known. */
  const before: { [format in Format]: Line[] } = { text: [], openmetrics: [] }

  function sampleOf(line: string): Sample | string {
    const space = line.lastIndexOf(' ')
    const key = line.slice(0, space)
    const identity = space < 0 ? 'a line without a value' : identify(key)
    if (typeof identity === 'string') return identity
    const { name, base, labels } = identity
    const value = numberOf(line.slice(space + 1))
    return { key, identity, isNumber: value !== undefined, one: { name, base, labels, value: value ?? NaN } }
  }

  function identify(text: string) {
    let found = known.get(text)
    if (found === undefined) known.set(text, (found = identityOf(text)))
    return found
  }

  return function read(text: string, format: Format): Exposition {
    const series = new Map<string, Series>()
    const types = new Map<string, string>()
    const flaws: string[] = []
    const families = new Set<string>()
    const identities = new Set<string>()
    let current = ''
    let hasEnded = false
    if (text !== '' && !text.endsWith('\n')) flaws.push('the last line does not end')
    if (!text.isWellFormed()) flaws.push('a text that is not well-formed Unicode')
    const lines = text.split('\n')
    lines.pop()

    function enter(family: string): void {
      if (family === current) return
      if (families.has(family)) flaws.push(`${family} is not in one piece`)
      families.add(family)
      current = family
    }

    const lastLines = before[format]
    const now: Line[] = []
    for (const line of lines) {
      const at = now.length
      if (hasEnded) {
        flaws.push('something stands behind the end')
        break
      }
      if (line === '# EOF' && format === 'openmetrics') {
        hasEnded = true
        continue
      }
      if (line.startsWith('#')) {
        const [, word, family = '', rest = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? []
        if (word === undefined) {
          if (format === 'openmetrics') flaws.push(`a line that is no header: ${line.slice(0, 80)}`)
          continue
        }
        if (!NAME.test(family)) flaws.push(`${family} is no name`)
        enter(family)
        if (word !== 'TYPE') continue
        if (!TYPES.has(rest)) flaws.push(`${family} has the type ${rest}`)
        if (types.has(family)) flaws.push(`${family} has two types`)
        types.set(family, rest)
        continue
      }
      const same = lastLines[at]
      const sample = same?.text === line ? same.sample : sampleOf(line)
      now.push({ text: line, sample })
      if (typeof sample === 'string') {
        flaws.push(`${sample}: ${line.slice(0, 120)}`)
        continue
      }
      const { key, identity, isNumber, one } = sample
      const { name, id } = identity
      if (!isNumber) flaws.push(`no number: ${line.slice(0, 200)}`)
      if (current === '' || !belongs(name, current, types.get(current) ?? 'untyped', format)) {
        flaws.push(`${name} stands outside of its family, behind ${current}`)
      }
      if (identities.has(id)) flaws.push(`${key.slice(0, 200)} is there twice`)
      identities.add(id)
      series.set(key, one)
    }
    before[format] = now
    if (format === 'openmetrics' && !hasEnded) flaws.push('the end is missing')
    flaws.push(
      ...flawsOfValues(series, types, format),
      ...flawsOfHistograms(series, types, (key) => (known.get(key) as Identity).group),
    )
    return { series, types, flaws }
  }
}

/** Name and labels, or what is wrong with them. */
function identityOf(text: string): Identity | string {
  const open = text.indexOf('{')
  const name = open < 0 ? text : text.slice(0, open)
  if (!NAME.test(name)) return 'no name'
  const labels = open < 0 ? {} : labelsOf(text, open)
  if (typeof labels === 'string') return labels
  const base = name.replace(/_(bucket|sum|count)$/, '')
  const { le: _, ...rest } = labels
  const sorted = (some: Record<string, string>) =>
    JSON.stringify(Object.entries(some).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return { name, base, labels, id: name + sorted(labels), group: base + sorted(rest) }
}

function labelsOf(text: string, open: number): Record<string, string> | string {
  const labels: Record<string, string> = {}
  let rest = text.slice(open + 1)
  while (rest !== '}') {
    const [all, label = '', raw = ''] = /^([^=]+)="((?:[^"\\]|\\.)*)"/s.exec(rest) ?? []
    if (all === undefined) return 'labels that cannot be read'
    if (!LABEL.test(label)) return `a label of the name ${label}`
    if (Object.hasOwn(labels, label)) return `the label ${label} twice`
    if (/\\[^\\"n]/.test(raw.replaceAll('\\\\', ''))) return 'an unknown escape'
    const value = raw.replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter))
    if (Buffer.byteLength(value) > LONGEST_VALUE) return `a label of ${Buffer.byteLength(value)} bytes`
    Object.defineProperty(labels, label, { value, enumerable: true })
    rest = rest.slice(all.length)
    if (rest.startsWith(',')) rest = rest.slice(1)
    else if (rest !== '}') return 'labels without a comma or an end'
  }
  return labels
}

function numberOf(text: string): number | undefined {
  if (VALUE.test(text)) return Number(text)
  if (/^\+?Inf$/i.test(text)) return Infinity
  if (/^-Inf$/i.test(text)) return -Infinity
  return /^NaN$/i.test(text) ? NaN : undefined
}

const PARTS = ['_bucket', '_sum', '_count'] as const

function belongs(name: string, family: string, type: string, format: Format): boolean {
  if (type === 'histogram' || type === 'summary') {
    if (PARTS.some((part) => name === family + part)) return true
    return type === 'summary' && name === family
  }
  if (format === 'text') return name === family
  if (type === 'counter') return name === `${family}_total`
  return type === 'info' ? name === `${family}_info` : name === family
}

/** OpenMetrics has the type of a counter under its name without the suffix. */
export function typeOf(types: Exposition['types'], name: string): string | undefined {
  return types.get(name) ?? (name.endsWith('_total') ? types.get(name.slice(0, -'_total'.length)) : undefined)
}

function flawsOfValues(series: Exposition['series'], types: Exposition['types'], format: Format): string[] {
  const flaws: string[] = []
  for (const [key, { name, value }] of series) {
    const type = typeOf(types, name)
    if (type === 'counter' && !(value >= 0)) flaws.push(`the counter ${key} is ${value}`)
    else if (name.endsWith('_info') && value !== 1) flaws.push(`${key} is ${value}`)
    else if (name.startsWith('stakewatch_') && !Number.isFinite(value)) flaws.push(`${key} is ${value}`)
    else if (format === 'openmetrics' && type === 'counter' && !name.endsWith('_total'))
      flaws.push(`${key} lacks _total`)
  }
  return flaws
}

function flawsOfHistograms(
  series: Exposition['series'],
  types: Exposition['types'],
  groupOf: (key: string) => string,
): string[] {
  const groups = new Map<string, { bounds: [number, number][]; count?: number; sum?: number }>()
  for (const [text, { name, base, labels, value }] of series) {
    if (base === name || types.get(base) !== 'histogram') continue
    const key = groupOf(text)
    let group = groups.get(key)
    if (!group) groups.set(key, (group = { bounds: [] }))
    if (name.endsWith('_bucket')) group.bounds.push([numberOf(labels['le'] ?? '') ?? NaN, value])
    else if (name.endsWith('_count')) group.count = value
    else group.sum = value
  }
  return [...groups].flatMap(([key, { bounds, count, sum }]) => {
    const flaws: string[] = []
    if (bounds.some(([bound], at) => !(bound > (bounds[at - 1]?.[0] ?? -Infinity))))
      flaws.push(`${key}: bounds out of order`)
    if (bounds.some(([, value], at) => !(value >= (bounds[at - 1]?.[1] ?? 0)))) flaws.push(`${key}: buckets fall`)
    const last = bounds.at(-1)
    if (last?.[0] !== Infinity || last[1] !== count || sum === undefined)
      flaws.push(`${key}: +Inf, sum and count do not agree`)
    return flaws
  })
}

// Parses sample lines back to samples, for commands that read what a daemon serves.

import { entryOf } from '../lib/entry.ts'
import { type Labels, sortedLabels } from '../lib/label-text.ts'

/** One series as it is published. */
export interface Series {
  name: string
  labels: Labels
  value: number
}

/** A number as Prometheus reads it; `Number` reads more. */
const LINE = /^([a-z_]\w*)(?:\{(.*)\})? ([+-]?(?:\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+|inf|nan))$/is
const LABEL = /\b([a-z_]\w*)="((?:[^"\\]|\\.)*)"/gis
const escapes: Readonly<Record<string, string>> = { '\\n': '\n', '\\"': '"', '\\\\': '\\' }
const LINE_FEED = 10

/** The samples of an exposition; headers and empty lines have none. */
export function readSamples(text: Uint8Array): Series[] {
  // Many series of a validator have the same label set. Shared, the sets take half of the memory.
  const shared = new Map<string, Labels>()
  const all: Series[] = []
  for (const line of linesOf(text)) {
    const [, name, pairs = '', value] = LINE.exec(line) ?? []
    if (name === undefined) continue
    const labels = entryOf(shared, pairs, () => sortedLabels(readLabels(pairs)))
    all.push({ name, labels, value: readNumber(value!) })
  }
  return all
}

/** Each is decoded by itself: a label is a part of its text, and must not keep the whole piece in memory. */
function* linesOf(piece: Uint8Array): Generator<string> {
  const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
  for (let from = 0; from < bytes.length;) {
    const found = bytes.indexOf(LINE_FEED, from)
    const to = found < 0 ? bytes.length : found
    yield bytes.toString('utf8', from, to)
    from = to + 1
  }
}

function readLabels(pairs: string): [string, string][] {
  return Array.from(pairs.matchAll(LABEL), ([, name, value]) => [name!, unescaped(value!)])
}

function unescaped(value: string): string {
  return value.includes('\\') ? value.replace(/\\./g, (escape) => escapes[escape] ?? escape) : value
}

function readNumber(text: string): number {
  if (text === '+Inf') return Infinity
  return text === '-Inf' ? -Infinity : Number(text)
}

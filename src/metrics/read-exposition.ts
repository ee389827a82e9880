// Parses sample lines back to samples: the status page and the daemon's own rules read exactly what a scrape gets.

import { entryOf } from '../lib/entry.ts'
import { finish, STEP, type Steps } from '../lib/steps.ts'
import { type Labels, sortedLabels } from '../lib/label-text.ts'

/** One series as it is published. */
export interface Reading {
  name: string
  labels: Labels
  value: number
}

/** A number as Prometheus reads it; `Number` reads more. */
const LINE = /^([a-z_]\w*)(?:\{(.*)\})? ([+-]?(?:\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+|inf|nan))$/is
const LABEL = /\b([a-z_]\w*)="((?:[^"\\]|\\.)*)"/gis
const escapes: Readonly<Record<string, string>> = { '\\n': '\n', '\\"': '"', '\\\\': '\\' }
const LINE_FEED = 10

export type Readings = ReadonlyMap<string, readonly Reading[]>

/** Pieces of an exposition never change, so each is read once. `fixed` are additional labels of every series. */
export function createReader(fixed: Labels = {}): (pieces: readonly Uint8Array[]) => Steps<Readings> {
  const known = new WeakMap<Uint8Array, readonly Reading[]>()
  return function* read(pieces) {
    const shared = nothingShared()
    const readings = new Map<string, Reading[]>()
    for (const piece of pieces) {
      let samples = known.get(piece)
      if (samples === undefined) {
        known.set(piece, (samples = yield* readPiece(piece, fixed, shared)))
        yield
      }
      for (const sample of samples) {
        entryOf(readings, sample.name, () => []).push(sample)
      }
    }
    return readings
  }
}

/** Many series of a validator have the same label set. Shared, the sets take half of the memory. */
interface Shared {
  /** Names of metrics, and values of labels. */
  texts: Map<string, string>
  /** By their text. */
  labels: Map<string, Labels>
}

const nothingShared = (): Shared => ({ texts: new Map(), labels: new Map() })

/** The samples of an exposition; headers and empty lines have none. */
export function readSamples(text: Uint8Array, fixed: Labels = {}): Reading[] {
  return finish(readPiece(text, fixed, nothingShared()))
}

function* readPiece(piece: Uint8Array, fixed: Labels, shared: Shared): Steps<Reading[]> {
  const more = Object.entries(fixed)
  const one = (text: string) => entryOf(shared.texts, text, () => text)
  const readings: Reading[] = []
  for (const line of linesOf(piece)) {
    const [, name, pairs = '', value] = LINE.exec(line) ?? []
    if (name === undefined) continue
    const labels = entryOf(shared.labels, pairs, () =>
      sortedLabels([...readLabels(pairs).map(([label, text]) => [label, one(text)] as const), ...more]),
    )
    readings.push({ name: one(name), labels, value: readNumber(value!) })
    if (readings.length % STEP === 0) yield
  }
  return readings
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

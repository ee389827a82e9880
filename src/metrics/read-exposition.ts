// Sample lines back to samples: the status page and the daemon's own evaluation of the rules read what a scrape would get, and
// nothing else.

import { type Labels, sortedLabels } from '../lib/label-text.ts'

/** One series as it is published. */
export interface Reading {
  name: string
  labels: Labels
  value: number
}

const LINE = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/is
const LABEL = /([a-z_]\w*)="((?:[^"\\]|\\.)*)"/gis
const escapes: Readonly<Record<string, string>> = { '\\n': '\n', '\\"': '"', '\\\\': '\\' }
const decoder = new TextDecoder()

/** The series by the names of their metrics. */
export type Readings = ReadonlyMap<string, readonly Reading[]>

/**
 * Reads pieces of an exposition one by one, and may rest after each. A piece never changes, so that each is read once.
 * `fixed` are labels that every series has besides.
 */
export function createReader(fixed: Labels = {}): (pieces: readonly Uint8Array[]) => Generator<void, Readings> {
  const known = new WeakMap<Uint8Array, readonly Reading[]>()
  return function* read(pieces) {
    const readings = new Map<string, Reading[]>()
    for (const piece of pieces) {
      let samples = known.get(piece)
      if (samples === undefined) {
        known.set(piece, (samples = readSamples(piece, fixed)))
        yield
      }
      for (const sample of samples) {
        const others = readings.get(sample.name)
        if (others) others.push(sample)
        else readings.set(sample.name, [sample])
      }
    }
    return readings
  }
}

/** The samples of a piece of an exposition; headers and empty lines hold none. */
export function readSamples(piece: Uint8Array, fixed: Labels = {}): Reading[] {
  const more = Object.entries(fixed)
  return decoder
    .decode(piece)
    .split('\n')
    .flatMap((line) => {
      const [, name, pairs = '', value] = LINE.exec(line) ?? []
      return name === undefined
        ? []
        : [{ name, labels: sortedLabels([...readLabels(pairs), ...more]), value: readNumber(value!) }]
    })
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

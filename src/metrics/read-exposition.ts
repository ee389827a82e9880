// Parses sample lines back to samples: the status page and the daemon's own rules read exactly what a scrape gets.

import { entryOf } from '../lib/entry.ts'
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

export type Readings = ReadonlyMap<string, readonly Reading[]>

/**
 * Reads an exposition piece by piece, and may pause after each. Pieces never change, so each is read once. `fixed` are
 * additional labels of every series.
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
        entryOf(readings, sample.name, () => []).push(sample)
      }
    }
    return readings
  }
}

/** Reads without a pause. */
export function allOf(reading: Generator<void, Readings>): Readings {
  let step = reading.next()
  while (!step.done) step = reading.next()
  return step.value
}

/** The samples of a piece of an exposition; headers and empty lines have none. */
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

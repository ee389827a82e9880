// What is published, found by what it is about.

import { type Reading, readSamples } from '../metrics/read.ts'

export type Readings = readonly Reading[]

/** Reads pieces of an exposition. A piece never changes, so that each is read once. */
export function createReader(): (pieces: readonly Uint8Array[]) => Readings {
  const known = new WeakMap<Uint8Array, Readings>()
  return (pieces) =>
    pieces.flatMap((piece) => {
      let readings = known.get(piece)
      if (readings === undefined) known.set(piece, (readings = readSamples(piece)))
      return readings
    })
}

/** What is said of one thing: its series by the names of their metrics. */
export interface Said {
  /** The one number of it; null when it is not published, or is none. */
  value(metric: string, labels?: Readonly<Record<string, string>>): number | null
  /** 1 and 0. */
  isSo(metric: string, labels?: Readonly<Record<string, string>>): boolean | null
  all(metric: string): Readings
}

/** `of` gives what a series is about; undefined for what is of no interest. */
export function saidOf(readings: Readings, of: (reading: Reading) => string | undefined): (thing: string) => Said {
  const things = new Map<string, Map<string, Reading[]>>()
  for (const reading of readings) {
    const thing = of(reading)
    if (thing === undefined) continue
    let metrics = things.get(thing)
    if (!metrics) things.set(thing, (metrics = new Map()))
    const known = metrics.get(reading.name)
    if (known) known.push(reading)
    else metrics.set(reading.name, [reading])
  }
  return (thing) => {
    const all = (metric: string) => things.get(thing)?.get(metric) ?? []
    const value: Said['value'] = (metric, labels = {}) => {
      const wanted = Object.entries(labels)
      const found = all(metric).find((reading) => wanted.every(([name, text]) => reading.labels[name] === text))
      return found && Number.isFinite(found.value) ? found.value : null
    }
    return {
      all,
      value,
      isSo(metric, labels) {
        const number = value(metric, labels)
        return number === null ? null : number === 1
      },
    }
  }
}

/** Names have no slash. */
export const keyOf = (...parts: readonly string[]) => parts.join('/')

// What is published, found by what it is about.

import type { Reading, Readings } from '../../metrics/read-exposition.ts'

function added<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key)
  if (list) list.push(item)
  else lists.set(key, [item])
}

/** What is said of one thing. */
export interface Said {
  /** The one number of it, or that with this label; null when it is not published, or is none. */
  value(metric: string, label?: string, text?: string): number | null
  /** 1 and 0. */
  isSo(metric: string, label?: string, text?: string): boolean | null
  all(metric: string): readonly Reading[]
}

/** `of` gives what a series of these metrics is about; undefined for what is of no interest. */
export function saidOf(
  readings: Readings,
  metrics: readonly string[],
  of: (labels: Reading['labels']) => string | undefined,
): (thing: string) => Said {
  const things = new Map<string, Reading[]>()
  for (const metric of metrics) {
    for (const reading of readings.get(metric) ?? []) {
      const thing = of(reading.labels)
      if (thing !== undefined) added(things, thing, reading)
    }
  }
  return (thing) => {
    const own = things.get(thing) ?? []
    const value: Said['value'] = (metric, label, text) => {
      const found = own.find(
        ({ name, labels }) => name === metric && (label === undefined || (labels[label] ?? '') === (text ?? '')),
      )
      return found && Number.isFinite(found.value) ? found.value : null
    }
    return {
      value,
      isSo(metric, label, text) {
        const number = value(metric, label, text)
        return number === null ? null : number === 1
      },
      all: (metric) => own.filter(({ name }) => name === metric),
    }
  }
}

/** Names have no slash. */
export const keyOf = (...parts: readonly string[]) => parts.join('/')

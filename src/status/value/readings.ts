// Published series, grouped by the thing that they describe.

import type { Reading, Readings } from '../../metrics/read-exposition.ts'

function added<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key)
  if (list) list.push(item)
  else lists.set(key, [item])
}

/** The published series of one thing. */
export interface OwnReadings {
  /** The value of a metric, or of its series with this label; null when it is not published or not finite. */
  value(metric: string, label?: string, text?: string): number | null
  /** 1 is true, 0 is false. */
  flag(metric: string, label?: string, text?: string): boolean | null
  all(metric: string): readonly Reading[]
}

/** `of` returns the key of the thing that a series describes, or undefined to skip the series. */
export function groupReadings(
  readings: Readings,
  metrics: readonly string[],
  of: (labels: Reading['labels']) => string | undefined,
): (thing: string) => OwnReadings {
  const things = new Map<string, Reading[]>()
  for (const metric of metrics) {
    for (const reading of readings.get(metric) ?? []) {
      const thing = of(reading.labels)
      if (thing !== undefined) added(things, thing, reading)
    }
  }
  return (thing) => {
    const own = things.get(thing) ?? []
    const value: OwnReadings['value'] = (metric, label, text) => {
      const found = own.find(
        ({ name, labels }) => name === metric && (label === undefined || (labels[label] ?? '') === (text ?? '')),
      )
      return found && Number.isFinite(found.value) ? found.value : null
    }
    return {
      value,
      flag(metric, label, text) {
        const number = value(metric, label, text)
        return number === null ? null : number === 1
      },
      all: (metric) => own.filter(({ name }) => name === metric),
    }
  }
}

/** Names contain no slash, so keys are unique. */
export const keyOf = (...parts: readonly string[]) => parts.join('/')

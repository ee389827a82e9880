// The queries in the texts of alerts: series by their labels, compared with a number, subtracted from the time, or counted by a label.

import type { Reading } from '../conditions/board.ts'
import { entryOf } from '../lib/entry.ts'

const QUERY = /^(time\(\) - )?(\w+)\{(.*)\}(?: (==|>) (\S+))?$/
const COUNT = /^count by \((\w+)\) \((.*)\)$/
const MATCHER = /(\w+)(!?=)("(?:[^"\\]|\\.)*")/g

/** `now` is in seconds since the epoch. Throws for any other query. */
export function queryOf(readings: (metric: string) => readonly Reading[], now: number) {
  function select(text: string): readonly Reading[] {
    const [, isAge, metric, inner, operator, limit] = QUERY.exec(text) ?? []
    if (metric === undefined) throw new Error(`this query is not known: ${text}`)
    const wanted = Array.from(inner!.matchAll(MATCHER), ([, name, how, value]) => {
      return { name: name!, isEqual: how === '=', value: JSON.parse(value!) as string }
    })
    return readings(metric).flatMap(({ labels, value }) => {
      if (wanted.some(({ name, isEqual, value: other }) => ((labels[name] ?? '') === other) !== isEqual)) return []
      if (operator === '==' ? value !== Number(limit) : operator === '>' && !(value > Number(limit))) return []
      return { labels, value: isAge === undefined ? value : now - value }
    })
  }
  return (text: string): readonly Reading[] => {
    const [, label, inner] = COUNT.exec(text) ?? []
    if (label === undefined) return select(text)
    const counts = new Map<string, { labels: Record<string, string>; value: number }>()
    for (const { labels } of select(inner!)) {
      const value = labels[label] ?? ''
      entryOf(counts, value, () => ({ labels: { [label]: value }, value: 0 })).value += 1
    }
    return [...counts.values()]
  }
}

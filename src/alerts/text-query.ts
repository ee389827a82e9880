// The queries in the texts of alerts: one series by its labels, compared with a number or subtracted from the time.

import type { Reading } from '../conditions/board.ts'

const QUERY = /^(time\(\) - )?(\w+)\{(.*)\}(?: (==|>) (\S+))?$/
const MATCHER = /(\w+)=("(?:[^"\\]|\\.)*")/g

/** `now` is in seconds since the epoch. Throws for any other query. */
export function queryOf(readings: (metric: string) => readonly Reading[], now: number) {
  return (text: string): readonly Reading[] => {
    const [, isAge, metric, inner, operator, limit] = QUERY.exec(text) ?? []
    if (metric === undefined) throw new Error(`this query is not known: ${text}`)
    const wanted = Array.from(inner!.matchAll(MATCHER), ([, name, value]) => [name!, JSON.parse(value!) as string])
    return readings(metric).flatMap(({ labels, value }) => {
      if (wanted.some(([name, other]) => (labels[name!] ?? '') !== other)) return []
      if (operator === '==' ? value !== Number(limit) : operator === '>' && !(value > Number(limit))) return []
      return { labels, value: isAge === undefined ? value : now - value }
    })
  }
}

// Answers what the texts of alerts ask Prometheus, from what the judge has found.

import type { Reading } from '../conditions/board.ts'
import type { Said } from '../conditions/details.ts'
import { DETAIL, UNKNOWN_SINCE } from './condition-rule.ts'

/** Answers as Prometheus would from the series of this verdict. Throws for any other query. */
export const queryOf =
  ({ details = {}, unknownSince }: Said) =>
  (query: string): readonly Reading[] => {
    if (query.includes(`${UNKNOWN_SINCE}{`)) return readingOf(unknownSince)
    const [, metric, inner = ''] = /^(\w+)\{(.*)\}$/.exec(query) ?? []
    const [, name] = /\bdetail="(\w+)"/.exec(inner) ?? []
    if (metric !== DETAIL || name === undefined) throw new Error(`this query is not known: ${query}`)
    return readingOf(details[name])
  }

function readingOf(said: number | string | undefined): readonly Reading[] {
  if (said === undefined) return []
  return [typeof said === 'number' ? { labels: {}, value: said } : { labels: { text: said }, value: 1 }]
}

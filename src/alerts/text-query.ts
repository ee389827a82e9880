// The queries in the texts of alerts: they select what was published with a verdict.

import type { Reading } from '../conditions/board.ts'
import type { Said } from '../conditions/details.ts'
import { DETAIL, UNKNOWN_SINCE } from './condition-rule.ts'

/** Answers as Prometheus would from the series of this verdict. Throws for any other query. */
export const queryOf =
  ({ details = {}, unknownSince }: Said) =>
  (query: string): readonly Reading[] => {
    const [, metric, inner = ''] = /^(\w+)\{(.*)\}$/.exec(query) ?? []
    if (metric === UNKNOWN_SINCE) return readingOf(unknownSince)
    const [, name] = /\bdetail="(\w+)"/.exec(inner) ?? []
    if (metric !== DETAIL || name === undefined) throw new Error(`this query is not known: ${query}`)
    return readingOf(details[name])
  }

function readingOf(said: number | string | undefined): readonly Reading[] {
  if (said === undefined) return []
  return [typeof said === 'number' ? { labels: {}, value: said } : { labels: { text: said }, value: 1 }]
}

// Regular expressions from answers, by the engine that Prometheus and Alertmanager use: none takes more than linear time.

import { RE2JS } from 're2js'
import { entryOf } from '../../lib/entry.ts'

/** More is not compiled: `a{1000}` is a thousand states, and a pattern may repeat it. */
const MOST_REPEATED = 1_000
const LONGEST = 1_000_000
const COUNTS = /\{(\d+)(?:,(\d*))?\}/g

/** Undefined where the pattern cannot be used. */
type Matching = (text: string) => boolean | undefined

const known = new Map<string, Matching>()

/** Whether it matches the whole text, as patterns of Prometheus do. */
export function isMatch(pattern: string, text: string): ReturnType<Matching> {
  return entryOf(known, pattern, () => compile(pattern))(text)
}

function compile(pattern: string): Matching {
  const counts = [...pattern.matchAll(COUNTS)].map(([, least, most]) => Number(most || least))
  const repeated = counts.reduce((sum, count) => sum + count, 0)
  if (repeated > MOST_REPEATED || pattern.length > LONGEST) return () => undefined
  try {
    const compiled = RE2JS.compile(pattern, RE2JS.DOTALL)
    return (text) => compiled.testExact(text)
  } catch {
    return () => undefined
  }
}

// Regular expressions from answers, by the engine that Prometheus and Alertmanager use: none takes more time than its length
// times that of the text.

import { RE2JS } from 're2js'
import { entryOf } from '../../lib/entry.ts'

/** More is not compiled: `a{1000}` is a thousand states, and a pattern may repeat it. */
const MOST_REPEATED = 1_000
const LONGEST = 1_000_000
/** States by signs of the text: more take seconds. */
const MOST_WORK = 2_000_000
/** What a list of names does not have, as those of the silences that stakewatch makes: any sign but these, and a bare dot. */
const NO_NAMES = /[^\w|.\\-]|\\(?!\.)|(?<!\\)\./
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
  if (!NO_NAMES.test(pattern)) {
    const names = new Set(pattern.replaceAll('\\.', '.').split('|'))
    return (text) => names.has(text)
  }
  const states = pattern.length * Math.max(1, repeated)
  if (states > LONGEST) return () => undefined
  try {
    const compiled = RE2JS.compile(pattern, RE2JS.DOTALL)
    return (text) => (states * text.length > MOST_WORK ? undefined : compiled.testExact(text))
  } catch {
    return () => undefined
  }
}

// Drills over HTTP: POST /-/drill?severity=critical&for=5m&network=mainnet begins one, DELETE /-/drill ends it.

import { formatDuration, parseDuration } from '../lib/duration.ts'

/** Labels that alerts have, so that a drill takes the route that an alert would take. */
const labelNames = ['network', 'subnet', 'node_id', 'validator', 'source', 'chain', 'address'] as const
export const severities = ['critical', 'warning', 'info'] as const

export interface Drill {
  /** Without those that are not given. */
  labels: Readonly<Record<string, string>> & { severity: (typeof severities)[number] }
  /** Milliseconds. */
  lasts: number
}

export interface Drills {
  /** Without effect while another one is going on: `isNew` is false, and the rest is about that one. */
  begin(drill: Drill): Promise<Begun>
  end(): Promise<void>
}

/** What POST /-/drill answers as well, as JSON. */
export interface Begun {
  isNew: boolean
  /** The label of its series, which no other drill has. */
  began: string
  /** How long it still lasts. */
  seconds: number
}

const PRESET = 5 * 60_000
/** A drill that no one ends must not look like an open problem for long. */
export const LONGEST_DRILL = 15 * 60_000
/** Bytes of UTF-8; no name of the configuration is longer. */
const LONGEST_VALUE = 128
/** Control characters, lone surrogates, separators of lines, and what hides or reverses the text around it. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

function isName(text: string): boolean {
  return text !== '' && Buffer.byteLength(text) <= LONGEST_VALUE && !UNPRINTABLE.test(text)
}

/** A text says what is wrong with the request. */
export function drillOf(query: URLSearchParams): Drill | string {
  const given = Object.fromEntries(query)
  const { severity = 'critical', for: time, ...labels } = given
  const known: readonly string[] = labelNames
  const unknown = Object.keys(labels).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const shown = unknown.replace(new RegExp(UNPRINTABLE, 'gu'), '?').slice(0, 40)
    return `Unknown label ${shown}. Alerts have ${labelNames.join(', ')}.`
  }
  const named = severities.find((one) => one === severity)
  if (named === undefined) return `Unknown severity. Expected ${severities.join(', ')}.`
  const wrong = Object.entries(labels).find(([, value]) => !isName(value))
  if (wrong) return `Expected 1 to ${LONGEST_VALUE} bytes of printable text as ${wrong[0]}.`
  const lasts = time === undefined ? PRESET : parseDuration(time)
  if (lasts === undefined || lasts < 1_000 || lasts > LONGEST_DRILL) {
    return `Expected a duration from 1s to ${formatDuration(LONGEST_DRILL)} as for, such as 5m.`
  }
  return { labels: { ...labels, severity: named }, lasts }
}

// What an alert says beyond its value. The judge finds it and publishes it while the alert's condition is a problem, so that no text
// has to conclude anything.

import { listed } from '../lib/figures.ts'
import type { Labels } from '../lib/label-text.ts'
import type { View } from './view.ts'

/** What was published with a problem. */
export interface Said {
  /** Numbers and texts by name; undefined where there is nothing to say. */
  details?: Readonly<Record<string, number | string | undefined>> | undefined
  /** Since when its inputs have been unknown (seconds since the epoch). */
  unknownSince?: number | undefined
}

export interface Details {
  /** What it reads that the verdict does not need. */
  reads: readonly string[]
  /** Of an object, or of the part of it that the labels name. */
  of: (view: View, labels: Labels) => NonNullable<Said['details']>
}

/** A part of an alert's text that needs this detail. */
export const ifKnown = (name: string, text: string, otherwise = '') =>
  `{{ with detail "${name}" }}${text}${otherwise && `{{ else }}${otherwise}`}{{ end }}`

/** A number with at most this many decimal places: Prometheus prints a million as 1e+06, and `humanize` thousandths as 5m. */
export const plain = (places: number) => `printf "%.${places}f" | reReplaceAll "[.]?0+$" ""`
export const PLAIN = plain(9)

/** The detail itself, in such a part. */
export const NUMBER = `{{ . | first | value | ${PLAIN} }}`
/** The same as a number of tokens. */
export const AMOUNT = `${NUMBER} token{{ if ne (. | first | value) 1.0 }}s{{ end }}`
export const TEXT = '{{ . | first | label "text" }}'

/** `detail "name"` in the texts of conditions is the query for what the judge published. */
export const withQueries = (text: string, queryOf: (detail: string) => string) =>
  text.replaceAll(/\bdetail "(\w+)"/g, (_, name: string) => queryOf(name))

/** Few enough for a telephone. */
const MOST_NAMED = 5

/** Undefined without any. */
export const namesText = (names: readonly string[]) => listed(names, MOST_NAMED) || undefined

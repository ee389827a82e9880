// What the page with Grafana's components is given, and what it sees.

import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard'

/** Series of a query: null or NaN where a value is missing. */
export type Answer = readonly { labels: Readonly<Record<string, string>>; value: number | null }[]

/** A panel with what each of its queries answered, and its size in pixels. */
export interface Drawn {
  panel: Panel
  /** By the letter of the query. */
  answers: Readonly<Record<string, Answer>>
  width: number
  height: number
}

export interface Text {
  part: 'title' | 'header' | 'cell' | 'tile' | 'legend'
  text: string
  /** Of a cell or a header, from 0. */
  column?: number
  /** What hides a part of it: three dots, or nothing says so. */
  cut?: 'ellipsis' | 'silently'
  pixels: number
  /** As the browser computes it: of a tile the background. */
  colour: readonly [red: number, green: number, blue: number]
  box: { left: number; right: number; top: number; bottom: number }
}

export interface Seen {
  texts: Text[]
  /** Of a table: the columns, with what was given to each. */
  columns: { title: string; isNumber: boolean; values: (string | number | null)[] }[]
  /** Of a legend or a tile with names: what the series are called. */
  names: string[]
  /** Pixels of a table that are out of sight. */
  hidden: number
}

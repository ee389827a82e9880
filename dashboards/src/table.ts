// Tables of the latest values, one row per object.

import { TableSortByFieldStateBuilder } from '@grafana/grafana-foundation-sdk/common'
import type { DynamicConfigValue, ValueMapping } from '@grafana/grafana-foundation-sdk/dashboard'
import { PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus'
import { PanelBuilder as TableBuilder } from '@grafana/grafana-foundation-sdk/table'
import type { DataLink } from './links.ts'
import {
  lay,
  mapping,
  type Marks,
  type PanelText,
  query,
  refId,
  shortening,
  shorteningWords,
  type States,
  thresholds,
} from './panels.ts'
import { textWidth } from './text-width.ts'
import { inTable, TEXT, widest } from './units.ts'

export type Column = { title: string; expr: string; marks?: Marks; links?: readonly DataLink[] } & (
  | { unit: string }
  | { states: States }
)

interface Key {
  label: string
  title: string
  links?: readonly DataLink[]
  states?: States
  /** The longest text that is not shortened. Default: 14 letters. */
  letters?: number
  /** Letters for which there is room even on a telephone: a longer text takes several lines, and a longer word is shortened. */
  least?: number
  /** A filter needs room. */
  isFilterable?: false
}

interface Table {
  text: Omit<PanelText, 'unit'>
  height: number
  columns: readonly Column[]
  /** Labels that name a row. */
  keys: readonly Key[]
  /** Further labels of its queries, hidden. */
  hidden?: readonly string[]
  /** One series for each row. Objects without a series have no row; sort columns have a value for each row. */
  rows: string
  /** Titles of the columns by which the rows are sorted, smallest first. */
  sortBy: readonly string[]
  /**
   * Titles of the columns that come first: a telephone shows no more. Default: the name, what the rows are sorted by, and the other
   * names, of which the network is the last.
   */
  first?: readonly string[]
  /** What it says without rows. */
  none?: string
}

/** The sort value of a row without data: after all others. */
const LAST: States = { [Infinity]: ['–', 'text'] }

const COLOURED: DynamicConfigValue = { id: 'custom.cellOptions', value: { type: 'color-text' } }

/** Pixels around the text of a cell, and extra width of a title: the arrow of a sorted column, the filter of a key. */
const PADDING = 14
const ARROW = 22
const FILTER = 24
/** Pixels per letter of an id: capitals and digits are wide. */
const LETTER = 9.7
const LETTERS = 14

/** Networks have short names. */
export const NETWORK_KEY = { label: 'network', title: 'Network', letters: 9 } as const

export function table({ text, height, keys, hidden = [], rows, columns, sortBy, first, none }: Table): TableBuilder {
  const by = [...keys.map(({ label }) => label), ...hidden].join(', ')
  const asked = columns.map(({ title, expr }) => {
    const those = expr === rows ? rows : `(${expr}) and on (${by}) (${rows})`
    return sortBy.includes(title) && expr !== rows ? `${those} or (${rows}) * 0 + Inf` : those
  })
  const copied = labelsOfLinks(keys)
  // A table of names alone queries only its rows.
  const queries = (columns.length === 0 ? [rows] : asked).map((expr) =>
    copied.reduce((inner, label) => `label_replace(${inner}, "on_${label}", "$1", "${label}", "(.*)")`, expr),
  )
  // Grafana gives a single query no letter.
  const values = columns.flatMap(({ title }, at) => {
    const names = [`Value #${refId(at)}`, ...(columns.length === 1 ? ['Value', 'Value 1'] : [])]
    return names.map((name) => [name, title] as const)
  })
  const names = keys.map(({ label, title }) => [label, title] as const)
  const shown = inOrder([...names, ...values], first ?? usualOrder(keys, columns, sortBy))
  const unseen = ['Time', ...hidden, ...(columns.length === 0 ? ['Value', 'Value #A', 'Value 1'] : [])]
  const builder = lay(new TableBuilder(), { ...text, unit: TEXT }, 24, height)
    .sortBy(sortBy.map((title) => new TableSortByFieldStateBuilder().displayName(title).desc(false)))
    .targets(queries.map((expr, at) => query(at, expr).instant().format(PromQueryFormat.Table)))
    .withTransformation({ id: 'merge', options: {} })
    .withTransformation({
      id: 'organize',
      options: {
        excludeByName: Object.fromEntries(unseen.map((name) => [name, true])),
        indexByName: Object.fromEntries(shown.map(([field], at) => [field, at])),
        renameByName: Object.fromEntries(shown),
      },
    })
  const most = Math.max(...keys.map(lettersOf))
  if (none !== undefined) {
    builder.noValue(none)
    // Else Grafana writes it into empty cells as well.
    for (const { title } of [...keys, ...columns]) builder.overrideByName(title, [{ id: 'noValue', value: '–' }])
  }
  for (const key of keys) builder.overrideByName(key.title, keyLook(key, sortBy.includes(key.title), most))
  for (const label of copied) builder.overrideByName(`on_${label}`, unseenLook)
  for (const column of columns) builder.overrideByName(column.title, look(column, sortBy.includes(column.title)))
  return builder
}

function usualOrder(keys: readonly Key[], columns: readonly Column[], sortBy: readonly string[]): string[] {
  const sorted = columns.filter(({ title }) => sortBy.includes(title))
  const [name, ...others] = keys.toSorted((a, b) => Number(a === NETWORK_KEY) - Number(b === NETWORK_KEY))
  return [name!, ...sorted, ...others].map(({ title }) => title)
}

function inOrder<Field extends readonly [string, string]>(
  fields: readonly Field[],
  titles: readonly string[],
): Field[] {
  const placeOf = ([, title]: Field) => (titles.includes(title) ? titles.indexOf(title) : titles.length)
  return fields.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** Wide enough for the title and all texts. Grafana aligns numbers right and would cut their first digits. */
function widthOf(title: string, isSorted: boolean, texts: readonly number[], extra = 0): number {
  return Math.ceil(Math.max(textWidth(title) + (isSorted ? ARROW : 0) + extra, ...texts)) + PADDING
}

const lettersOf = ({ states, letters = LETTERS }: Key) => (states === undefined ? letters : 0)

/**
 * Grafana shares the remaining width equally among the columns without a width, and only then heeds their least width:
 * columns of different least widths would push the last ones out of view. So only the longest names share it.
 */
function keyLook(key: Key, isSorted: boolean, most: number): DynamicConfigValue[] {
  const { title, links, states, letters = LETTERS, least, isFilterable = true } = key
  const isShared = least !== undefined || lettersOf(key) === most
  const texts = states === undefined ? [(least ?? letters) * LETTER] : widthsOf(states)
  return [
    { id: 'unit', value: TEXT },
    { id: 'custom.filterable', value: isFilterable },
    // Shows the full text on request.
    { id: 'custom.inspect', value: true },
    {
      id: isShared ? 'custom.minWidth' : 'custom.width',
      value: widthOf(title, isSorted, texts, isFilterable ? FILTER : 0),
    },
    ...(states === undefined ? [] : [COLOURED]),
    ...(least === undefined ? [] : [{ id: 'custom.wrapText', value: true }]),
    { id: 'mappings', value: states === undefined ? shown(key) : [mapping(states)] },
    ...linked(links),
  ]
}

const shown = ({ letters = LETTERS, least }: Key): ValueMapping[] =>
  least === undefined ? [shortening(letters)] : shorteningWords()

const widthsOf = (states: States) => Object.values(states).map(([text]) => textWidth(text))

/** Labels that links need unshortened. */
function labelsOfLinks(keys: readonly Key[]): string[] {
  const urls = keys.flatMap(({ links = [] }) => links.map(({ url }) => url))
  return [...new Set(urls.flatMap((url) => [...url.matchAll(/"on_(\w+)"/g)].map(([, label]) => label!)))]
}

/** Under the names of all Grafana versions. */
const unseenLook: DynamicConfigValue[] = [
  { id: 'custom.hidden', value: true },
  { id: 'custom.hideFrom', value: { viz: true, legend: true, tooltip: true } },
]

function linked(links: readonly DataLink[] = []): DynamicConfigValue[] {
  return links.length === 0 ? [] : [{ id: 'links', value: [...links] }]
}

function look(column: Column, isSorted: boolean): DynamicConfigValue[] {
  const { title, marks, links } = column
  const states = 'states' in column ? column.states : undefined
  const isColoured = marks !== undefined || states !== undefined
  const unit = 'unit' in column ? inTable(column.unit) : TEXT
  const texts = states === undefined ? [textWidth(widestOf(unit))] : widthsOf(states)
  return [
    { id: 'unit', value: unit },
    { id: 'custom.width', value: widthOf(title, isSorted, texts) },
    ...(isColoured ? [COLOURED] : []),
    ...(marks === undefined ? [] : [{ id: 'thresholds', value: thresholds(marks).build() }]),
    ...(isSorted || states !== undefined ? [{ id: 'mappings', value: [mapping({ ...LAST, ...states })] }] : []),
    ...linked(links),
  ]
}

function widestOf(unit: string): string {
  const text = widest[unit]
  if (text === undefined) throw new Error(`units.ts lacks the widest text of the unit ${unit}`)
  return text
}

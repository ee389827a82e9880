// Tables of the latest values, one row per object.

import { TableSortByFieldStateBuilder } from '@grafana/grafana-foundation-sdk/common'
import type { DynamicConfigValue } from '@grafana/grafana-foundation-sdk/dashboard'
import { PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus'
import { PanelBuilder as TableBuilder } from '@grafana/grafana-foundation-sdk/table'
import type { DataLink } from './links.ts'
import { lay, mapping, type Marks, type PanelText, query, refId, type States, thresholds } from './panels.ts'
import { textWidth } from './text-width.ts'
import { COUNT } from './units.ts'

export type Column = { title: string; expr: string; marks?: Marks; links?: readonly DataLink[] } & (
  | { unit: string }
  | { states: States }
)

interface Key {
  label: string
  title: string
  links?: readonly DataLink[]
  states?: States
}

interface Table {
  text: Omit<PanelText, 'unit'>
  height: number
  columns: readonly Column[]
  /** Labels that name a row. */
  keys: readonly Key[]
  /** Labels that its queries have besides, out of sight. */
  hidden?: readonly string[]
  /** The same, for its links alone. */
  carried?: readonly string[]
  /** One series for each row. What is not among them has no row; what sorts the rows has a value for each. */
  rows: string
  /** Titles of the columns by which the rows are sorted, smallest first. */
  sortBy: readonly string[]
}

/** What sorts a row that has no value: after all others. */
const LAST: States = { [Infinity]: ['–', 'text'] }

const COLOURED: DynamicConfigValue = { id: 'custom.cellOptions', value: { type: 'color-text' } }

/** Pixels beside the title of a column: its padding, the arrow of the sorted one, the filter of a key. */
const PADDING = 14
const ARROW = 22
const FILTER = 24
/** For values such as `-15.6 hours`. */
const VALUE = 84

export function table({ text, height, keys, hidden = [], carried = [], rows, columns, sortBy }: Table): TableBuilder {
  const by = [...keys.map(({ label }) => label), ...hidden, ...carried].join(', ')
  const asked = columns.map(({ title, expr }) => {
    const those = expr === rows ? rows : `(${expr}) and on (${by}) (${rows})`
    return sortBy.includes(title) && expr !== rows ? `${those} or (${rows}) * 0 + Inf` : those
  })
  // A table of names alone: its rows are what it asks for.
  const queries = columns.length === 0 ? [rows] : asked
  // A single query has no letter.
  const values = columns.flatMap(({ title }, at) => {
    const names = [`Value #${refId(at)}`, ...(columns.length === 1 ? ['Value', 'Value 1'] : [])]
    return names.map((name) => [name, title] as const)
  })
  const shown = [...keys.map(({ label, title }) => [label, title] as const), ...values]
  const unseen = ['Time', ...hidden, ...(columns.length === 0 ? ['Value', 'Value #A', 'Value 1'] : [])]
  const builder = lay(new TableBuilder(), { ...text, unit: COUNT }, 24, height)
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
  for (const key of keys) builder.overrideByName(key.title, keyLook(key, sortBy.includes(key.title)))
  for (const label of carried) builder.overrideByName(label, unseenLook)
  for (const column of columns) builder.overrideByName(column.title, look(column, sortBy.includes(column.title)))
  return builder
}

function keyLook({ title, links, states }: Key, isSorted: boolean): DynamicConfigValue[] {
  return [
    { id: 'custom.filterable', value: true },
    { id: 'custom.minWidth', value: Math.ceil(textWidth(title)) + PADDING + FILTER + (isSorted ? ARROW : 0) },
    ...(states === undefined ? [] : [COLOURED, { id: 'mappings', value: [mapping(states)] }]),
    ...linked(links),
  ]
}

/** By the words of all versions of Grafana. */
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
  const width = Math.ceil(textWidth(title)) + PADDING + (isSorted ? ARROW : 0)
  return [
    { id: 'unit', value: 'unit' in column ? column.unit : COUNT },
    { id: 'custom.width', value: Math.max(VALUE, width) },
    ...(isColoured ? [COLOURED] : []),
    ...(marks === undefined ? [] : [{ id: 'thresholds', value: thresholds(marks).build() }]),
    ...(isSorted || states !== undefined ? [{ id: 'mappings', value: [mapping({ ...LAST, ...states })] }] : []),
    ...linked(links),
  ]
}

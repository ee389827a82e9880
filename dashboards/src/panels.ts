// The kinds of panels that the dashboards are made of.

import { hash32 } from '../../src/lib/hash.ts'
import {
  BigValueColorMode,
  BigValueGraphMode,
  BigValueTextMode,
  type DataSourceRef,
  LegendDisplayMode,
  LegendPlacement,
  ReduceDataOptionsBuilder,
  TableSortByFieldStateBuilder,
  TooltipDisplayMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
  VisibilityMode,
} from '@grafana/grafana-foundation-sdk/common'
import {
  type DynamicConfigValue,
  MappingType,
  type Threshold,
  ThresholdsConfigBuilder,
  ThresholdsMode,
  type ValueMap,
} from '@grafana/grafana-foundation-sdk/dashboard'
import { DataqueryBuilder, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus'
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat'
import { PanelBuilder as StateTimelineBuilder } from '@grafana/grafana-foundation-sdk/statetimeline'
import { PanelBuilder as TableBuilder } from '@grafana/grafana-foundation-sdk/table'
import { PanelBuilder as TimeseriesBuilder } from '@grafana/grafana-foundation-sdk/timeseries'

export const datasource: DataSourceRef = { type: 'prometheus', uid: '${datasource}' }

export const HOUR = 3_600
export const DAY = 86_400

interface PanelText {
  title: string
  /** What it shows, and what to make of it. */
  description: string
  unit: string
}

/** Made of the title, so that links to a panel and the diffs of the others survive a panel that comes or goes. */
export function idOf(title: string): number {
  return (hash32(title) % 1_000_000_000) + 1
}

/** Anything that is a panel: the builders share these methods, not a type. */
interface Builder<B> {
  id(id: number): B
  title(title: string): B
  description(description: string): B
  unit(unit: string): B
  datasource(datasource: DataSourceRef): B
  span(columns: number): B
  height(rows: number): B
}

function lay<B extends Builder<B>>(
  builder: B,
  { title, description, unit }: PanelText,
  columns: number,
  rows: number,
): B {
  return builder
    .id(idOf(title))
    .title(title)
    .description(description)
    .unit(unit)
    .datasource(datasource)
    .span(columns)
    .height(rows)
}

function query(at: number, expr: string): DataqueryBuilder {
  return new DataqueryBuilder()
    .refId(String.fromCharCode('A'.charCodeAt(0) + at))
    .datasource(datasource)
    .expr(expr)
}

type Colour = 'green' | 'yellow' | 'orange' | 'red' | 'blue' | 'text'

/** `[base, [from, colour], …]`: each colour holds from its value on. */
type Marks = readonly [Colour, ...(readonly [number, Colour])[]]

function thresholds([base, ...steps]: Marks): ThresholdsConfigBuilder {
  const all: Threshold[] = [{ value: null, color: base }, ...steps.map(([value, color]) => ({ value, color }))]
  return new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps(all)
}

/** A number to be seen from afar. With a legend it is the worst of many, and tells its name. */
export function tile(text: PanelText, columns: number, expr: string, marks: Marks, legend?: string): StatBuilder {
  return lay(new StatBuilder(), text, columns, 4)
    .thresholds(thresholds(marks))
    .colorMode(BigValueColorMode.Background)
    .graphMode(BigValueGraphMode.None)
    .textMode(legend === undefined ? BigValueTextMode.Value : BigValueTextMode.ValueAndName)
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']))
    .withTarget(
      query(0, expr)
        .instant()
        .legendFormat(legend ?? text.title),
    )
}

/** Pairs of legend and expression. */
type Series = readonly (readonly [string, string])[]

function ranged(series: Series): DataqueryBuilder[] {
  return series.map(([legend, expr], at) => query(at, expr).range().legendFormat(legend))
}

function below(): VizLegendOptionsBuilder {
  return new VizLegendOptionsBuilder()
    .displayMode(LegendDisplayMode.List)
    .placement(LegendPlacement.Bottom)
    .showLegend(true)
}

/** Series over time. */
export function graph(text: PanelText, columns: number, series: Series): TimeseriesBuilder {
  return lay(new TimeseriesBuilder(), text, columns, 8)
    .lineWidth(1)
    .fillOpacity(0)
    .showPoints(VisibilityMode.Never)
    .legend(below())
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi))
    .targets(ranged(series))
}

/** How a line looks that others must not cross. */
export const limit: DynamicConfigValue[] = [
  { id: 'custom.lineStyle', value: { fill: 'dash', dash: [8, 8] } },
  { id: 'color', value: { mode: 'fixed', fixedColor: 'red' } },
]

/** The states by their number: how they are shown. */
export type States = Readonly<Record<number, readonly [text: string, colour: Colour]>>

function mapping(states: States): ValueMap {
  const options = Object.entries(states).map(([value, [text, color]], index) => [value, { text, color, index }])
  return { type: MappingType.ValueToText, options: Object.fromEntries(options) as ValueMap['options'] }
}

/** States over time, one line per object. */
export function timeline(
  text: Omit<PanelText, 'unit'>,
  columns: number,
  states: States,
  series: Series,
): StateTimelineBuilder {
  return lay(new StateTimelineBuilder(), { ...text, unit: 'none' }, columns, 8)
    .mappings([mapping(states)])
    .mergeValues(true)
    .showValue(VisibilityMode.Auto)
    .rowHeight(0.8)
    .fillOpacity(80)
    .legend(below())
    .targets(ranged(series))
}

interface Column {
  title: string
  expr: string
  unit?: string
  marks?: Marks
  states?: States
}

interface Table {
  text: Omit<PanelText, 'unit'>
  height: number
  /** Labels that name a row, with their titles. */
  keys: readonly (readonly [label: string, title: string])[]
  columns: readonly Column[]
  /** Titles of the columns by which the rows are sorted, smallest first. */
  sortBy: readonly string[]
}

/** The latest values, one row per object. Labels that are not among the keys are left out of sight. */
export function table({ text, height, keys, columns, sortBy }: Table): TableBuilder {
  const values = columns.map(
    ({ title }, at) => [`Value #${String.fromCharCode('A'.charCodeAt(0) + at)}`, title] as const,
  )
  const shown = [...keys, ...values]
  const builder = lay(new TableBuilder(), { ...text, unit: 'none' }, 24, height)
    .filterable(true)
    .sortBy(sortBy.map((title) => new TableSortByFieldStateBuilder().displayName(title).desc(false)))
    .targets(columns.map(({ expr }, at) => query(at, expr).instant().format(PromQueryFormat.Table)))
    .withTransformation({ id: 'merge', options: {} })
    .withTransformation({
      id: 'organize',
      options: {
        excludeByName: { Time: true },
        indexByName: Object.fromEntries(shown.map(([field], at) => [field, at])),
        renameByName: Object.fromEntries(shown),
      },
    })
  return columns.reduce((before, column) => before.overrideByName(column.title, look(column)), builder)
}

function look({ unit, marks, states }: Column): DynamicConfigValue[] {
  const coloured = { id: 'custom.cellOptions', value: { type: 'color-text' } }
  return [
    ...(unit === undefined ? [] : [{ id: 'unit', value: unit }]),
    ...(marks === undefined ? [] : [coloured, { id: 'thresholds', value: thresholds(marks).build() }]),
    ...(states === undefined ? [] : [coloured, { id: 'mappings', value: [mapping(states)] }]),
  ]
}

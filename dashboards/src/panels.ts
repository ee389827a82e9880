// The kinds of panels on the dashboards.

import {
  BigValueColorMode,
  BigValueGraphMode,
  BigValueTextMode,
  type DataSourceRef,
  GraphDrawStyle,
  GraphThresholdsStyleConfigBuilder,
  GraphThresholdsStyleMode,
  LegendDisplayMode,
  LegendPlacement,
  ReduceDataOptionsBuilder,
  ScaleDistribution,
  ScaleDistributionConfigBuilder,
  StackingConfigBuilder,
  StackingMode,
  TooltipDisplayMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
  VisibilityMode,
} from '@grafana/grafana-foundation-sdk/common'
import {
  MappingType,
  SpecialValueMatch,
  type Threshold,
  ThresholdsConfigBuilder,
  ThresholdsMode,
  type ValueMap,
  type ValueMapping,
} from '@grafana/grafana-foundation-sdk/dashboard'
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus'
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat'
import { PanelBuilder as StateTimelineBuilder } from '@grafana/grafana-foundation-sdk/statetimeline'
import { PanelBuilder as TimeseriesBuilder } from '@grafana/grafana-foundation-sdk/timeseries'
import { idOf } from './ids.ts'
import type { DataLink } from './links.ts'
import { COUNT } from './units.ts'

export const datasource: DataSourceRef = { type: 'prometheus', uid: '${datasource}' }

export const HOUR = 3_600
export const DAY = 86_400

export interface PanelText {
  title: string
  /** What the panel shows and what to do about it. */
  description: string
  unit: string
}

/** Any panel: the builders share these methods, but no type. */
interface Builder<B> {
  id(id: number): B
  title(title: string): B
  description(description: string): B
  unit(unit: string): B
  datasource(datasource: DataSourceRef): B
  span(columns: number): B
  height(rows: number): B
}

export function lay<B extends Builder<B>>(
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

export const refId = (at: number) => String.fromCharCode('A'.charCodeAt(0) + at)

export function query(at: number, expr: string): DataqueryBuilder {
  return new DataqueryBuilder().refId(refId(at)).datasource(datasource).expr(expr)
}

/** Blue is for maintenance alone, purple for what is neither good nor bad. */
export type Colour = 'green' | 'yellow' | 'orange' | 'red' | 'blue' | 'purple' | 'text' | 'grey'

/** `[base, [from, colour], …]`: each colour applies from its value on. */
export type Marks = readonly [Colour, ...(readonly [number, Colour])[]]

/** Neither good nor bad. */
const GREY = '#5a5f66'
/** Below any shown value: its colour is for missing values. */
const LEAST = -1e15

export function thresholds([base, ...steps]: Marks): ThresholdsConfigBuilder {
  const all: Threshold[] = [
    { value: null, color: GREY },
    { value: LEAST, color: base },
    ...steps.map(([value, color]) => ({ value, color })),
  ]
  return new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps(all)
}

/** How to show states, by number. */
export type States = Readonly<Record<number, readonly [text: string, colour: Colour]>>

export function mapping(states: States): ValueMap {
  const options = Object.entries(states).map(([value, [text, color]], index) => [
    value,
    { text, color: color === 'grey' ? GREY : color, index },
  ])
  return { type: MappingType.ValueToText, options: Object.fromEntries(options) as ValueMap['options'] }
}

/** Shortens a longer name in the middle, as both ends distinguish it. */
export function shortening(letters: number): ValueMapping {
  const tail = 5
  const pattern = `/^(.{${letters - tail - 1}}).{2,}(.{${tail}})$/`
  return { type: MappingType.RegexToText, options: { pattern, result: { text: '$1…$2', index: 0 } } }
}

/** A query without an answer gives null. */
function whenNone(text: string, color: string): ValueMapping {
  return {
    type: MappingType.SpecialValue,
    options: { match: SpecialValueMatch.NullAndNan, result: { text, color, index: 99 } },
  }
}

interface Tile {
  expr: string
  /** Colours for good and bad numbers. */
  marks: Marks
  states?: States
  /** Link to where the object is named. */
  to: DataLink
  /** With a legend, the value is the worst of many and the tile names it. */
  legend?: string
  /** Set if no answer is bad news. */
  isBadWhenNone?: true
}

const TILE_COLUMNS = 4
const TILE_ROWS = 3

/** A large single number. */
export function tile(text: PanelText, { expr, marks, states, to, legend, isBadWhenNone }: Tile): StatBuilder {
  return lay(new StatBuilder(), text, TILE_COLUMNS, TILE_ROWS)
    .thresholds(thresholds(marks))
    .mappings([
      ...(states === undefined ? [] : [mapping(states)]),
      isBadWhenNone ? whenNone('none', 'red') : whenNone('no data', GREY),
    ])
    .colorMode(BigValueColorMode.Background)
    .graphMode(BigValueGraphMode.None)
    .textMode(legend === undefined ? BigValueTextMode.Value : BigValueTextMode.ValueAndName)
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']))
    .dataLinks([{ build: () => to as never }])
    .withTarget(
      query(0, expr)
        .instant()
        .legendFormat(legend ?? text.title),
    )
}

/** Marks for a count that should be 0. */
export const NONE: Marks = ['green', [1, 'red']]
export const RATHER_NONE: Marks = ['green', [1, 'orange']]

/** Pairs of legend and expression. */
export type Series = readonly (readonly [string, string])[]

function ranged(series: Series): DataqueryBuilder[] {
  return series.map(([legend, expr], at) => query(at, expr).range().legendFormat(legend))
}

/** The worst comes first, so that no scrolling is needed. */
function legendOf(calcs: readonly string[]): VizLegendOptionsBuilder {
  return new VizLegendOptionsBuilder()
    .displayMode(LegendDisplayMode.Table)
    .placement(LegendPlacement.Bottom)
    .calcs([...calcs])
    .sortBy(calcs.includes('min') ? 'Min' : 'Max')
    .sortDesc(!calcs.includes('min'))
    .showLegend(true)
}

interface Graph {
  columns?: 8 | 12 | 24
  /** Limits as lines: from where it is orange or red. */
  limits?: readonly (readonly [number, Colour])[]
  /** Low values are bad instead of high ones. */
  isBadWhenLow?: true
  isStacked?: true
  /** For series that differ by orders of magnitude. Linear from -1 to 1, so that zero and negative values fit. */
  isLog?: true
  /** Limits that other series must not cross, by the end of their legends. */
  bound?: string
}

export function graph(text: PanelText, series: Series, how: Graph = {}): TimeseriesBuilder {
  const { columns = 12, limits = [], isBadWhenLow, isStacked, isLog, bound } = how
  const builder = lay(new TimeseriesBuilder(), text, columns, 8)
    .lineWidth(1)
    .fillOpacity(isStacked ? 40 : 0)
    .showPoints(VisibilityMode.Never)
    .legend(legendOf(isBadWhenLow ? ['lastNotNull', 'min'] : ['lastNotNull', 'max']))
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi))
    .targets(ranged(series))
  if (isStacked) builder.stacking(new StackingConfigBuilder().mode(StackingMode.Normal).group('A')).min(0)
  if (isLog) {
    builder.scaleDistribution(
      new ScaleDistributionConfigBuilder().type(ScaleDistribution.Symlog).log(10).linearThreshold(1),
    )
  }
  if (bound !== undefined) builder.overrideByRegexp(`/${bound}$/`, dashed)
  if (limits.length > 0) {
    builder
      .thresholds(
        new ThresholdsConfigBuilder()
          .mode(ThresholdsMode.Absolute)
          .steps([{ value: null, color: 'transparent' }, ...limits.map(([value, color]) => ({ value, color }))]),
      )
      .thresholdsStyle(new GraphThresholdsStyleConfigBuilder().mode(GraphThresholdsStyleMode.Dashed))
  }
  return builder
}

/** In a colour that no other series has. */
const dashed = [
  { id: 'custom.lineStyle', value: { fill: 'dash', dash: [8, 8] } },
  { id: 'color', value: { mode: 'fixed', fixedColor: 'text' } },
]

/** Increase per step of the graph, as bars: for events too rare for a rate. `every` is the minimum step. */
export function bars(text: PanelText, every: string, series: Series, columns: 8 | 12 | 24 = 12): TimeseriesBuilder {
  return lay(new TimeseriesBuilder(), text, columns, 8)
    .drawStyle(GraphDrawStyle.Bars)
    .fillOpacity(80)
    .lineWidth(0)
    .min(0)
    .stacking(new StackingConfigBuilder().mode(StackingMode.Normal).group('A'))
    .interval(every)
    .legend(legendOf(['sum', 'max']))
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi))
    .targets(ranged(series))
}

/** States over time, one line per object. */
export function timeline(
  text: Omit<PanelText, 'unit'>,
  states: States,
  series: Series,
  { columns = 24, height = 8 }: { columns?: number; height?: number } = {},
): StateTimelineBuilder {
  return lay(new StateTimelineBuilder(), { ...text, unit: COUNT }, columns, height)
    .mappings([mapping(states)])
    .mergeValues(true)
    .showValue(VisibilityMode.Auto)
    .rowHeight(0.8)
    .fillOpacity(80)
    .legend(
      new VizLegendOptionsBuilder()
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom)
        .showLegend(true),
    )
    .targets(ranged(series))
}

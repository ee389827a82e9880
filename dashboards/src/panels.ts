// The kinds of panels that the dashboards are made of.

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
  /** What it shows, and what to make of it. */
  description: string
  unit: string
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

export type Colour = 'green' | 'yellow' | 'orange' | 'red' | 'blue' | 'text' | 'grey'

/** `[base, [from, colour], …]`: each colour holds from its value on. */
export type Marks = readonly [Colour, ...(readonly [number, Colour])[]]

/** Neither good nor bad. */
const GREY = '#5a5f66'
/** Less than anything that is shown: the colour below it is for what has no value. */
const LEAST = -1e15

export function thresholds([base, ...steps]: Marks): ThresholdsConfigBuilder {
  const all: Threshold[] = [
    { value: null, color: GREY },
    { value: LEAST, color: base },
    ...steps.map(([value, color]) => ({ value, color })),
  ]
  return new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps(all)
}

/** The states by their number: how they are shown. */
export type States = Readonly<Record<number, readonly [text: string, colour: Colour]>>

export function mapping(states: States): ValueMap {
  const options = Object.entries(states).map(([value, [text, color]], index) => [
    value,
    { text, color: color === 'grey' ? GREY : color, index },
  ])
  return { type: MappingType.ValueToText, options: Object.fromEntries(options) as ValueMap['options'] }
}

/** A longer name loses its middle, so that both ends tell it from others. */
export function shortening(letters: number): ValueMapping {
  const tail = 5
  const pattern = `/^(.{${letters - tail - 1}}).{2,}(.{${tail}})$/`
  return { type: MappingType.RegexToText, options: { pattern, result: { text: '$1…$2', index: 0 } } }
}

/** A query without an answer is a value that is null. */
function whenNone(text: string, color: string): ValueMapping {
  return {
    type: MappingType.SpecialValue,
    options: { match: SpecialValueMatch.NullAndNan, result: { text, color, index: 99 } },
  }
}

interface Tile {
  expr: string
  /** How good or bad the number is. */
  marks: Marks
  states?: States
  /** Where the object is named. */
  to: DataLink
  /** With it the value is that of the worst of many, and the tile tells its name. */
  legend?: string
  /** It is bad news when the query has no answer. */
  isBadWhenNone?: true
}

const TILE_COLUMNS = 4
const TILE_ROWS = 3

/** A number to be seen from afar. */
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

/** The marks of a number of things of which there should be none. */
export const NONE: Marks = ['green', [1, 'red']]
export const RATHER_NONE: Marks = ['green', [1, 'orange']]

/** Pairs of legend and expression. */
export type Series = readonly (readonly [string, string])[]

function ranged(series: Series): DataqueryBuilder[] {
  return series.map(([legend, expr], at) => query(at, expr).range().legendFormat(legend))
}

/** The worst stands first, so that nobody has to scroll for it. */
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
  /** Limits, as lines: from where on it is orange or red. */
  limits?: readonly (readonly [number, Colour])[]
  /** What is too little is bad, not what is too much. */
  isBadWhenLow?: true
  isStacked?: true
  /** For series that differ by orders of magnitude. Linear from -1 to 1, so that zero and what is below it have a place. */
  isLog?: true
  /** Series that others must not cross, by the end of their legends. */
  bound?: string
}

/** Series over time. */
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

/** How much came in each step of the graph, as bars: for what is too rare for a rate. `every` is the least step. */
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

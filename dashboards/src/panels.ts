// The kinds of panels on the dashboards.

import {
  BigValueColorMode,
  BigValueGraphMode,
  BigValueJustifyMode,
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
  VizTextDisplayOptionsBuilder,
  VizTooltipOptionsBuilder,
  VisibilityMode,
} from '@grafana/grafana-foundation-sdk/common'
import {
  FieldColorBuilder,
  FieldColorModeId,
  MappingType,
  type Panel,
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
import { panelId } from '../../src/alerts/rule.ts'
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
    .id(panelId(title))
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
const codeOf = (colour: Colour) => (colour === 'grey' ? GREY : colour)
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
    { text, color: codeOf(color), index },
  ])
  return { type: MappingType.ValueToText, options: Object.fromEntries(options) as ValueMap['options'] }
}

/** Shortens a longer name in the middle, as both ends distinguish it. */
export function shortening(letters: number): ValueMapping {
  const tail = 5
  const pattern = `/^(.{${letters - tail - 1}}).{2,}(.{${tail}})$/`
  return { type: MappingType.RegexToText, options: { pattern, result: { text: '$1…$2', index: 0 } } }
}

/** The same for each of two words. */
export function shorteningWords(): ValueMapping[] {
  const [long, any] = ['([^ ]{8})[^ ]{2,}([^ ]{5})', '([^ ]+)']
  const patterns = [
    [`${long} ${long}`, '$1…$2 $3…$4'],
    [`${long}( .*)?`, '$1…$2$3'],
    [`${any} ${long}`, '$1 $2…$3'],
  ]
  return patterns.map(([pattern, text], index) => ({
    type: MappingType.RegexToText,
    options: { pattern: `/^${pattern}$/`, result: { text: text!, index } },
  }))
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
  /** Labels that name the object: the tile shows them below the number. */
  names?: readonly string[]
  /** Set if no answer is bad news. */
  isBadWhenNone?: true
}

const TILE_COLUMNS = 4
const TILE_ROWS = 3

/** The letters of a name that fit on a tile, before and after an ellipsis. */
const [HEAD, TAIL] = [15, 6]
/** Pixels. Grafana would shrink a long name until it fits, down to five. */
const NAME_SIZE = 12
const VALUE_SIZE = 30

/** A name of one line under a label of its own; a blank where there is none, as Grafana would invent one. */
function withName(expr: string, names: readonly string[]): string {
  const joined = `label_join(${expr}, "name", " ", ${names.map((one) => `"${one}"`).join(', ')})`
  const short = `label_replace(${joined}, "name", "$1…$2", "name", "(.{${HEAD}}).{2,}(.{${TAIL}})")`
  return `label_replace(${short}, "name", " ", "name", " *")`
}

/** The number of objects for which `bad` is 1, with the labels of one of them: 0 without labels if there is none. */
export const countBad = (bad: string) =>
  `topk(1, (${bad}) > 0) * 0 + on () group_left () sum(${bad}) or on () sum(${bad})`

/** A large single number. */
export function tile(text: PanelText, { expr, marks, states, to, names, isBadWhenNone }: Tile): StatBuilder {
  const builder = lay(new StatBuilder(), text, TILE_COLUMNS, TILE_ROWS)
    .thresholds(thresholds(marks))
    .mappings([
      ...(states === undefined ? [] : [mapping(states)]),
      isBadWhenNone ? whenNone('NONE', 'red') : whenNone('no data', GREY),
    ])
    .colorMode(BigValueColorMode.Background)
    .graphMode(BigValueGraphMode.None)
    .justifyMode(BigValueJustifyMode.Center)
    .textMode(names === undefined ? BigValueTextMode.Value : BigValueTextMode.ValueAndName)
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']))
    .dataLinks([{ build: () => to as never }])
    .withTarget(
      query(0, names === undefined ? expr : withName(expr, names))
        .instant()
        .legendFormat(names === undefined ? text.title : '{{name}}'),
    )
  if (names !== undefined) {
    builder.text(new VizTextDisplayOptionsBuilder().titleSize(NAME_SIZE).valueSize(VALUE_SIZE))
  }
  return builder
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

/** Amounts that are neither good nor bad. */
export const NEUTRAL = new FieldColorBuilder().mode(FieldColorModeId.Shades).fixedColor('purple')

interface Graph {
  columns?: 8 | 12 | 24
  /** Limits as lines: from where it is orange or red. */
  limits?: readonly (readonly [number, Colour])[]
  /** Low values are bad instead of high ones. */
  isBadWhenLow?: true
  isStacked?: true
  /** For series that differ by orders of magnitude; `symlog`, which is linear up to 1, if they may be zero. */
  scale?: 'log' | 'symlog'
  /** Colours of states, by the end of their legends. */
  colours?: Readonly<Record<string, Colour>>
  /** Limits that other series must not cross, by the end of their legends. */
  bound?: string
}

export function graph(text: PanelText, series: Series, how: Graph = {}): TimeseriesBuilder {
  const { columns = 12, limits = [], isBadWhenLow, isStacked, scale, colours = {}, bound } = how
  const builder = lay(new TimeseriesBuilder(), text, columns, 8)
    .lineWidth(1)
    .fillOpacity(isStacked ? 40 : 0)
    .showPoints(VisibilityMode.Never)
    .legend(legendOf(isBadWhenLow ? ['lastNotNull', 'min'] : ['lastNotNull', 'max']))
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi))
    .targets(ranged(series))
  if (isStacked) builder.stacking(new StackingConfigBuilder().mode(StackingMode.Normal).group('A')).min(0)
  if (scale !== undefined) builder.scaleDistribution(scales[scale]())
  byState(builder, colours)
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

const scales = {
  log: () => new ScaleDistributionConfigBuilder().type(ScaleDistribution.Log).log(10),
  symlog: () => new ScaleDistributionConfigBuilder().type(ScaleDistribution.Symlog).log(10).linearThreshold(1),
}

/** Gives states their colours, by the end of their legends. */
export function byState(builder: TimeseriesBuilder, colours: Readonly<Record<string, Colour>>): TimeseriesBuilder {
  for (const [ending, colour] of Object.entries(colours)) {
    builder.overrideByRegexp(`/ ${ending}$/`, [fixedColour(colour)])
  }
  return builder
}

const fixedColour = (colour: Colour) => ({ id: 'color', value: { mode: 'fixed', fixedColor: codeOf(colour) } })

/** In a colour that no other series has. */
const dashed = [{ id: 'custom.lineStyle', value: { fill: 'dash', dash: [8, 8] } }, fixedColour('text')]

/** Increase per step of the graph, as bars: for events too rare for a rate. `every` is the minimum step. */
export function bars(text: PanelText, every: string, series: Series, columns: 8 | 12 | 24 = 12): TimeseriesBuilder {
  const builder = lay(new TimeseriesBuilder(), text, columns, 8)
    .drawStyle(GraphDrawStyle.Bars)
    .fillOpacity(80)
    .lineWidth(0)
    .min(0)
    .stacking(new StackingConfigBuilder().mode(StackingMode.Normal).group('A'))
    .interval(every)
    .legend(legendOf(['sum', 'max']))
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi))
    .targets(ranged(series))
  // Without any event the axis would end at 100.
  return text.unit === COUNT ? builder.axisSoftMax(1) : builder
}

/** Pixels of a row of the grid, of what surrounds the lines of a timeline, and of a line. */
const [GRID_ROW, AROUND_LINES, LINE] = [38, 155, 18]

/** States over time, one line per object; more than fit are on further pages. */
export function timeline(
  text: Omit<PanelText, 'unit'>,
  states: States,
  series: Series,
  { columns = 24, height = 8 }: { columns?: number; height?: number } = {},
): { build(): Panel } {
  const builder = lay(new StateTimelineBuilder(), { ...text, unit: COUNT }, columns, height)
    .mappings([mapping(states)])
    .mergeValues(true)
    // The legend has the words, which short blocks would cut.
    .showValue(VisibilityMode.Never)
    // With its own default, Grafana shows no legend.
    .colorScheme(new FieldColorBuilder().mode(FieldColorModeId.Fixed).fixedColor('text'))
    .rowHeight(0.8)
    .fillOpacity(80)
    .legend(
      new VizLegendOptionsBuilder()
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom)
        .showLegend(true),
    )
    .targets(ranged(series))
  const perPage = Math.floor((height * GRID_ROW - AROUND_LINES) / LINE)
  return {
    build() {
      const panel = builder.build()
      // The library does not know the option. By default, 20 lines share even the smallest panel.
      return { ...panel, options: { ...(panel.options as object), perPage } }
    },
  }
}

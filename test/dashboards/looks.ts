// How the dashboards have to look, and where they have to lead: what a real Grafana showed to be wrong once.

import {
  type DashboardLink,
  MappingType,
  type Panel,
  SpecialValueMatch,
  type Threshold,
  type ValueMapping,
} from '@grafana/grafana-foundation-sdk/dashboard'
import type { Dataquery } from '@grafana/grafana-foundation-sdk/prometheus'
import { dashboards } from '../../dashboards/src/all.ts'
import type { Dashboard } from '../../dashboards/src/dashboard.ts'
import { type Thresholds, thresholds } from '../../src/alerts/thresholds.ts'
import { labelsOfQuery, onPanel, panelsOf, type Rule, variablesOf } from './lint.ts'

const GREY = '#5a5f66'

interface Defaults {
  mappings?: ValueMapping[]
  thresholds?: { steps: Threshold[] }
  custom?: Record<string, unknown>
  links?: DashboardLink[]
  unit?: string
}
const defaultsOf = ({ fieldConfig }: Panel) => (fieldConfig?.defaults ?? {}) as Defaults
const optionsOf = (panel: Panel) => (panel.options ?? {}) as Record<string, unknown>
const queriesOf = ({ targets = [] }: Panel) => targets as Dataquery[]
const isTile = ({ type }: Pick<Panel, 'type'>) => type === 'stat'

/** The colour that Grafana gives a tile for a value; undefined where the query has no answer. */
export function colourOf(panel: Panel, value: number | undefined): string | undefined {
  const { mappings = [], thresholds: { steps } = { steps: [] } } = defaultsOf(panel)
  for (const { type, options } of mappings) {
    const isNone = value === undefined || Number.isNaN(value)
    if (type === MappingType.SpecialValue && options.match === SpecialValueMatch.NullAndNan && isNone)
      return options.result.color
    const found =
      type === MappingType.ValueToText && !isNone
        ? (options as Record<string, { color?: string }>)[String(value)]
        : undefined
    if (found) return found.color
  }
  // Without a value it is the base that counts.
  return steps.filter((step, at) => at === 0 || (value !== undefined && value >= step.value!)).at(-1)?.color
}

/** How a table calls what its queries give. */
function columnsOf(panel: Panel) {
  const organize = panel.transformations?.find(({ id }) => id === 'organize')?.options as
    | { renameByName: Record<string, string>; excludeByName: Record<string, boolean> }
    | undefined
  const { renameByName = {}, excludeByName = {} } = organize ?? {}
  const overrides = new Map(
    panel.fieldConfig!.overrides.map(({ matcher, properties }) => [
      String(matcher.options),
      Object.fromEntries(properties.map(({ id, value }) => [id, value as unknown])),
    ]),
  )
  const isHidden = (label: string) => excludeByName[label] === true || overrides.get(label)?.['custom.hidden'] === true
  return { renameByName, overrides, isHidden }
}

/** What a query asks for, without the copies of labels for links. */
function withoutCopies(expr: string): string {
  const [, inner] = /^label_replace\((.*), "on_\w+", "\$1", "\w+", "\(\.\*\)"\)$/s.exec(expr) ?? []
  return inner === undefined ? expr : withoutCopies(inner)
}

/**
 * Which limits a graph of a metric has to draw. Where the rules compare something else than the graph can show, such as
 * a change, there is none.
 */
const limits: readonly (readonly [metric: string, ...limits: (keyof Thresholds)[]])[] = [
  ['validator_downtime_budget_seconds', 'budgetEnding', 'budgetSmall'],
  ['validator_listed_reachable_ratio', 'reachable'],
  ['validator_end_timestamp_seconds', 'stakeEndLast', 'stakeEndNear', 'stakeEndPlanned'],
  ['validator_delegated_ending_ratio', 'delegationEnding'],
  ['l1_validator_runway_seconds', 'runwayLast', 'runwayNear', 'runwayPlanned'],
  ['l1_listed_next_depletion_timestamp_seconds', 'nextBalance'],
  ['l1_weight', 'l1Messages', 'l1Blocks', 'l1Healthy'],
  ['l1_listed_weight', 'l1Messages', 'l1Blocks', 'l1Healthy'],
  ['l1_listed_timestamp_seconds', 'listStale'],
  ['chain_head_timestamp_seconds', 'listedBehind'],
  ['index_last_accepted_timestamp_seconds', 'indexBehind'],
  ['chain_throughput_tps', 'throughputLeast'],
  ['p_chain_gas_price_tokens', 'gasPriceRise'],
  ['node_behind_blocks', 'nodeBehindBlocks'],
  ['node_rewarding_stake_ratio', 'rewardingStake'],
  ['node_peer_stake_ratio', 'peerStake'],
  ['icm_oldest_pending_timestamp_seconds', 'messagePending'],
  ['upstream_budget_remaining_units', 'budgetLeft'],
  ['upstream_rate_limited_total', 'rateLimited'],
]

/** Labels of alerts that are variables of dashboards. */
const subjects = ['network', 'subnet', 'validator', 'chain', 'source', 'address']

const ALL_PANELS = 34
/** Pixels of a row of the grid with its gap. */
const ROW = 38
const SCREEN = 900
/** What is left of a screen of 900 pixels below Grafana's own head and the variables. */
const FOLD = 20

/** What a link to a dashboard of ours leads to; undefined when it leads elsewhere. */
function target(url: string): { uid: string; parameters: string } | undefined {
  const [, uid, parameters] = /^\/d\/([\w-]+|\$\{__data\.fields\["on_page"\]\})\?(.*)$/s.exec(url) ?? []
  return uid === undefined ? undefined : { uid, parameters: parameters! }
}

function linksOf(panel: Panel): DashboardLink[] {
  const ofFields = panel.fieldConfig?.overrides.flatMap(({ properties }) => properties) ?? []
  return [
    ...(defaultsOf(panel).links ?? []),
    ...ofFields.filter(({ id }) => id === 'links').flatMap(({ value }) => value as DashboardLink[]),
  ]
}

function brokenLinks(dashboard: Dashboard, panel: Panel): string[] {
  const all = Object.values(dashboards)
  const names = variablesOf(dashboard).map(({ name }) => name)
  return linksOf(panel).flatMap(({ url = '' }) => {
    const found = target(url)
    if (found === undefined) return url.startsWith('${runbooks:raw}') ? [] : [`leads to ${url}`]
    const { uid, parameters } = found
    const to = all.find((one) => one.uid === uid)
    if (to === undefined && !uid.startsWith('$')) return [`leads to the dashboard ${uid}, which is not there`]
    const id = /(?:^|&)viewPanel=(\d+)/.exec(parameters)?.[1]
    const isThere = id === undefined || panelsOf(to!).some((one) => one.id === Number(id))
    const lost = names.filter(
      (name) =>
        name !== 'runbooks' && !parameters.includes(`var-${name}=`) && !parameters.includes(`\${${name}:queryparam}`),
    )
    const read = [...url.matchAll(/__data\.fields\["([^"]+)"\]/g)].map(([, field]) => field!)
    const given = queriesOf(panel).flatMap(({ expr }) => [...labelsOfQuery(expr)])
    // Of a field with another name Grafana gives what it shows, which may be shortened.
    const unread = read.filter((field) => !field.startsWith('on_') || !given.includes(field))
    return [
      ...unread.map((field) => `takes a variable from the field ${field}`),
      ...(isThere ? [] : [`leads to the panel ${id} of ${uid}, which is not there`]),
      ...lost.map((name) => `does not keep the variable ${name}`),
      ...(parameters.includes('${__url_time_range}') ? [] : ['does not keep the time']),
    ]
  })
}

export const looks: readonly Rule[] = [
  onPanel('no data is grey', (panel) => {
    if (!isTile(panel)) return undefined
    // Without an instance of stakewatch, nothing is monitored.
    const wanted = panel.title === 'Instances' ? 'red' : GREY
    return colourOf(panel, undefined) === wanted ? undefined : 'has another colour than it should without data'
  }),
  onPanel('made-up answers', (panel) =>
    queriesOf(panel).some(({ expr }) => /\b(vector|absent\w*)\s*\(/.test(expr))
      ? 'has an answer where there is no data'
      : undefined,
  ),
  onPanel('columns have names', (panel) => {
    if (panel.type !== 'table') return undefined
    const { renameByName, overrides, isHidden } = columnsOf(panel)
    const queries = queriesOf(panel)
    const values = queries.flatMap(({ refId }) => [
      `Value #${refId}`,
      ...(queries.length === 1 ? ['Value', 'Value 1'] : []),
    ])
    const labels = queries.flatMap(({ expr }) => [...labelsOfQuery(expr)])
    const unnamed = [...values, ...labels].filter((name) => !isHidden(name) && renameByName[name] === undefined)
    const bare = values.filter((name) => !isHidden(name) && overrides.get(renameByName[name]!)?.['unit'] === undefined)
    if (unnamed.length > 0) return `has columns without a name of their own: ${unnamed.join()}`
    return bare.length > 0 ? `has columns without a unit: ${bare.join()}` : undefined
  }),
  onPanel('rows without values come last', (panel) => {
    if (panel.type !== 'table') return undefined
    const { renameByName } = columnsOf(panel)
    const queries = queriesOf(panel)
    const sorting = ((optionsOf(panel)['sortBy'] ?? []) as { displayName: string }[]).map((one) => one.displayName)
    const sorters = queries.filter(({ refId }) => sorting.includes(renameByName[`Value #${refId}`]!))
    // It has a value for each row when it makes the rows itself.
    const isFull = (query: Dataquery) => {
      const expr = withoutCopies(query.expr)
      return expr.endsWith('* 0 + Inf') || queries.every((other) => other === query || other.expr.includes(`(${expr})`))
    }
    const isNamed = (title: string) => Object.values(renameByName).includes(title)
    if (sorting.length === 0 || !sorting.every(isNamed)) return 'is sorted by no column of its own'
    return sorters.every(isFull) ? undefined : 'is sorted by a column that not every row has'
  }),
  onPanel('tiles lead on', (panel) =>
    isTile(panel) && linksOf(panel).length === 0 ? 'does not lead to what names the object' : undefined,
  ),
  {
    name: 'links',
    findings: (dashboard) =>
      panelsOf(dashboard).flatMap((panel) => brokenLinks(dashboard, panel).map((what) => `${panel.title} ${what}`)),
  },
  {
    name: 'links between dashboards',
    findings({ links }) {
      const lost = links.filter(({ includeVars, keepTime }) => !includeVars || !keepTime)
      const isThere = links.some(({ tags }) => tags.includes('stakewatch'))
      return [
        ...(isThere ? [] : ['has no link to the others']),
        ...lost.map(({ title }) => `${title} loses what is chosen`),
      ]
    },
  },
  {
    name: 'beginnings of critical alerts are drawn in',
    findings(dashboard) {
      const [annotation] = dashboard.annotations.list
      const { expr = '', enable } = annotation ?? {}
      if (!enable || !expr.includes('ALERTS{')) return ['has no annotations']
      const unnarrowed = variablesOf(dashboard).filter(
        ({ name }) => subjects.includes(name) && !expr.includes(`${name}=~"$${name}|"`),
      )
      return [
        ...(expr.includes('severity="critical"') ? [] : ['draws alerts that are not critical']),
        // Two points in a row would be an area.
        ...(/^(.+) unless \1 offset \$__interval$/.test(expr.replaceAll(' offset $__interval)', ') offset $__interval'))
          ? []
          : ['draws more than the beginning']),
        ...unnarrowed.map(({ name }) => `draws alerts about every ${name}`),
      ]
    },
  },
  {
    name: 'open windows are drawn in',
    findings({ annotations: { list } }) {
      const isDrawn = list.some(
        ({ enable, iconColor, expr }) =>
          enable && iconColor === 'blue' && expr?.includes('stakewatch_maintenance_active{'),
      )
      return isDrawn ? [] : ['does not draw maintenance windows']
    },
  },
  onPanel('blue is maintenance', (panel) => {
    const isBlue = JSON.stringify(panel.fieldConfig).includes('"blue"')
    const isMaintenance = queriesOf(panel).some(({ expr }) => /_maintenance(_active)?\{/.test(expr))
    return isBlue && !isMaintenance ? 'has something else in blue' : undefined
  }),
  {
    name: 'size',
    findings(dashboard) {
      const { panels, uid } = dashboard
      const count = panelsOf(dashboard).length
      const bottomOf = (some: Dashboard['panels']) => Math.max(...some.map(({ gridPos }) => gridPos!.y + gridPos!.h))
      const rows = bottomOf(panels)
      const open = panels.filter(({ type }) => type === 'row').filter((row) => !('collapsed' in row && row.collapsed))
      return [
        ...(count > ALL_PANELS
          ? [`has ${count} panels, and a dashboard may have ${ALL_PANELS}: add a column or a query to one that fits`]
          : []),
        ...(rows * ROW > 3 * SCREEN ? [`has ${rows} rows`] : []),
        ...(uid === 'stakewatch-fleet' && bottomOf(panels.filter(isTile)) > FOLD
          ? ['has tiles below the first screen']
          : []),
        ...(open.length > 1 ? ['has rows that are not folded'] : []),
      ]
    },
  },
  onPanel('limits are drawn', (panel) => {
    if (panel.type !== 'timeseries' || (defaultsOf(panel).custom ?? {})['drawStyle'] === 'bars') return undefined
    const { thresholds: { steps } = { steps: [] }, custom = {}, unit } = defaultsOf(panel)
    const wanted = limits
      .filter(([metric]) => queriesOf(panel).some(({ expr }) => expr.includes(`stakewatch_${metric}{`)))
      .flatMap(([, ...names]) => names)
    const scale = unit === 'suffix: d' ? 86_400 : 1
    const missing = wanted.filter((name) => steps.every(({ value }) => value !== thresholds[name] / scale))
    if (missing.length > 0) return `does not draw ${missing.join()}`
    const style = custom['thresholdsStyle'] as { mode?: string } | undefined
    return wanted.length === 0 || style?.mode === 'dashed' ? undefined : 'does not draw its limits as lines'
  }),
  onPanel('legends tell the latest and the worst', (panel) => {
    if (panel.type !== 'timeseries') return undefined
    const { displayMode, calcs = [] } = optionsOf(panel)['legend'] as { displayMode: string; calcs?: string[] }
    const isBars = (defaultsOf(panel).custom ?? {})['drawStyle'] === 'bars'
    const isFull = calcs.includes(isBars ? 'sum' : 'lastNotNull') && calcs.some((one) => ['min', 'max'].includes(one))
    return displayMode === 'table' && isFull ? undefined : 'does not tell them'
  }),
  onPanel('legends begin with the object', ({ type, targets = [] }) => {
    // A telephone cuts the names of a timeline after a third of its width, and of a legend after some letters.
    const bad = (targets as Dataquery[]).filter(({ legendFormat = '' }) =>
      /^\{\{network\}\} \{\{(?!state)/.test(legendFormat),
    )
    return type === 'table' || bad.length === 0 ? undefined : `begins with the network: ${bad[0]!.legendFormat}`
  }),
  onPanel('events are whole', (panel) => {
    // Prometheus estimates growth from both ends of the range: 3.01 of something.
    const { overrides, renameByName } = columnsOf(panel)
    const unitOf = ({ refId }: Dataquery) =>
      (overrides.get(renameByName[`Value #${refId}`] ?? '')?.['unit'] ?? defaultsOf(panel).unit) as string
    const broken = queriesOf(panel)
      .filter(({ expr }) => /\bincrease\(/.test(expr) && !expr.includes('histogram_quantile'))
      .filter((query) => ['none', 'sishort'].includes(unitOf(query)) && !/\bround\(/.test(query.expr))
    return broken.length === 0 ? undefined : `counts in fractions: ${broken.map(({ refId }) => refId).join()}`
  }),
  onPanel('long times are in days', (panel) => {
    if (panel.type !== 'timeseries' || defaultsOf(panel).unit !== 's') return undefined
    const isLong = /_(end|depletion|unlock|outgoing)_timestamp_seconds|_(downtime_budget|runway)_seconds/
    return queriesOf(panel).some(({ expr }) => isLong.test(expr)) ? 'has ticks such as 1.65 weeks' : undefined
  }),
  onPanel('events are bars', (panel) => {
    if (panel.type !== 'timeseries') return undefined
    const { drawStyle } = (defaultsOf(panel).custom ?? {}) as { drawStyle?: string }
    const counts = queriesOf(panel).some(({ expr, instant }) => /\bincrease\(/.test(expr) && !instant)
    if (counts !== (drawStyle === 'bars')) return 'draws events as lines, or lines as events'
    // Without a least step each event would be drawn wider or narrower as the browser is.
    return counts && panel.interval === undefined ? 'has no least step' : undefined
  }),
]

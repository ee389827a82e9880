// Builds a dashboard: rows of panels on the grid, variables, and alert annotations.

import { DRILL } from '../../src/alerts/self.ts'
import {
  type AnnotationQuery,
  DashboardCursorSync,
  type DashboardLink,
  DashboardLinkType,
  DatasourceVariableBuilder,
  type Panel,
  QueryVariableBuilder,
  RowBuilder,
  type RowPanel,
  TextBoxVariableBuilder,
  type VariableModel,
  VariableHide,
  VariableRefresh,
  VariableSort,
} from '@grafana/grafana-foundation-sdk/dashboard'
import { panelId } from '../../src/alerts/rule.ts'
import { type DataLink, kept, type Page, uids } from './links.ts'
import { datasource } from './panels.ts'
import type { Narrowed, Variable } from './select.ts'

/** Schema version for files that every Grafana version from 10 on reads. */
export interface Dashboard {
  uid: string
  title: string
  description: string
  tags: readonly string[]
  links: DashboardLink[]
  annotations: { list: AnnotationQuery[] }
  schemaVersion: number
  editable: boolean
  graphTooltip: DashboardCursorSync
  time: { from: string; to: string }
  refresh: string
  timezone: string
  templating: { list: VariableModel[] }
  panels: (Panel | RowPanel)[]
}

interface Builder {
  build(): Panel
}

export type Rows = Readonly<Record<string, readonly Builder[]>>

/** Keeps the time and the selected variables. */
const toOthers = (title: string, tag: string): DashboardLink => ({
  title,
  type: DashboardLinkType.Dashboards,
  icon: '',
  tooltip: '',
  tags: [tag],
  asDropdown: true,
  targetBlank: false,
  includeVars: true,
  keepTime: true,
})

interface About {
  page: Page
  title: string
  description: string
  /** Whether one object or several can be selected. */
  single?: Variable
  /** Subjects of alerts that it shows but has no variable for. */
  subjects?: readonly Subject[]
  /** Hidden variables, which users may change in the file, with their values. */
  texts?: Readonly<Record<string, string>>
  links?: DashboardLink[]
}

/** AvalancheGo's own dashboards, if they are installed. */
export const ofNodes = toOthers('Dashboards of the nodes', 'Avalanche')

export function dashboard(about: About, { variables, one }: Narrowed, rows: Rows): Dashboard {
  const { page, title, description, single, subjects = [], texts = {}, links = [] } = about
  const box = ([name, query]: readonly [string, string]) =>
    new TextBoxVariableBuilder(name).defaultValue(query).hide(VariableHide.HideVariable).build()
  const list = [
    new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus').build(),
    ...variables.map((name, at) => variable(name, variables.slice(0, at), name === single)),
    ...Object.entries(texts).map(box),
  ]
  return {
    uid: uids[page],
    title,
    description,
    tags: ['stakewatch'],
    links: [toOthers('Other dashboards', 'stakewatch'), ...links],
    annotations: { list: [beginnings(subjects, variables), maintenance(one('network, window', 'maintenance_active'))] },
    schemaVersion: 42,
    editable: false,
    graphTooltip: DashboardCursorSync.Crosshair,
    time: { from: 'now-24h', to: 'now' },
    refresh: '1m',
    timezone: 'browser',
    templating: { list },
    panels: laid(rows, [...variables, ...Object.keys(texts)]),
  }
}

/** Alerts of the selected networks, and those without a network. */
export const firing = (...matchers: readonly string[]) =>
  `ALERTS{alertname=~"Stakewatch.+", alertname!="${DRILL}", alertstate="firing", ${['network=~"$network|"', ...matchers].join(', ')}}`

/** Labels that identify the subject of an alert. The first ones are also variables of pages. */
export const SUBJECTS = [
  'subnet',
  'validator',
  'chain',
  'source',
  'address',
  'route',
  'probe',
  'collector',
  'target',
] as const
type Subject = (typeof SUBJECTS)[number]

/** Start times of critical alerts about the page's objects, or without a subject. */
function beginnings(subjects: readonly Subject[], variables: readonly string[]): AnnotationQuery {
  const matchers = SUBJECTS.flatMap((label) => {
    if (variables.includes(label)) return [`${label}=~"$${label}|"`]
    return subjects.includes(label) ? [] : [`${label}=""`]
  })
  const critical = firing('severity="critical"', ...matchers)
  return {
    name: 'Critical alerts',
    datasource,
    enable: true,
    iconColor: 'red',
    // A single point is drawn as a line. Consecutive points would become an area that covers the graph.
    expr: `max_over_time(${critical}[$__interval]) unless max_over_time(${critical}[$__interval] offset $__interval)`,
    titleFormat: '{{alertname}}',
    textFormat: `{{network}} ${SUBJECTS.map((label) => `{{${label}}}`).join(' ')}`,
    tagKeys: 'severity',
    step: '60s',
  }
}

/** Windows while they are open. Their consecutive points become one area. */
function maintenance(isOpen: string): AnnotationQuery {
  return {
    name: 'Maintenance',
    datasource,
    enable: true,
    iconColor: 'blue',
    expr: `${isOpen} == 1`,
    titleFormat: 'In maintenance: {{window}}',
    textFormat: '{{network}}',
    tagKeys: 'window',
    step: '60s',
  }
}

const COLUMNS = 24

/** The first row is open; the others are collapsed and contain their panels. */
function laid(rows: Rows, variables: readonly string[]): (Panel | RowPanel)[] {
  let top = 0
  return Object.entries(rows).flatMap(([title, builders], at) => {
    const isFolded = at > 0
    const panels = placed(
      builders.map((builder) => withLinks(builder.build(), variables)),
      top + 1,
    )
    const row: RowPanel = {
      ...new RowBuilder(title)
        .id(panelId(`row ${title}`))
        .gridPos({ x: 0, y: top, w: COLUMNS, h: 1 })
        .collapsed(isFolded)
        .build(),
      panels: isFolded ? panels : [],
    }
    top = isFolded ? top + 1 : Math.max(...panels.map(({ gridPos }) => gridPos!.y + gridPos!.h))
    return isFolded ? [row] : [row, ...panels]
  })
}

/** Side by side while there is room. */
function placed(panels: Panel[], top: number): Panel[] {
  let [x, y, lowest] = [0, top, top]
  return panels.map((panel) => {
    const { w, h } = panel.gridPos!
    if (x + w > COLUMNS) [x, y] = [0, lowest]
    const gridPos = { x, y, w, h }
    x += w
    lowest = Math.max(lowest, y + h)
    return { ...panel, gridPos }
  })
}

function withLinks(panel: Panel, variables: readonly string[]): Panel {
  const { defaults, overrides } = panel.fieldConfig!
  // The library's types also have fields of other kinds of links.
  const all = (links: unknown) => (links as DataLink[]).map((link) => kept(link, variables)) as never
  return {
    ...panel,
    fieldConfig: {
      defaults: { ...defaults, ...(defaults.links && { links: all(defaults.links) }) },
      overrides: overrides.map(({ matcher, properties }) => ({
        matcher,
        properties: properties.map((one) => (one.id === 'links' ? { ...one, value: all(one.value) } : one)),
      })),
    },
  }
}

/** Where variables get their values: preferably from series that depend on the configuration alone. */
const known: Record<Variable, string> = {
  job: 'stakewatch_build_info',
  instance: 'stakewatch_build_info',
  network: 'stakewatch_collector_interval_seconds',
  subnet: 'stakewatch_(validator_tracked|subnet_validators|l1_validator_active)',
  // Includes everything that a link may name.
  validator: 'stakewatch_(validator_tracked|validator_info|l1_validator_active)',
  chain: 'stakewatch_chain_tracked',
  source: 'stakewatch_upstream_up',
  address: 'stakewatch_address_tracked',
}

const capital = (name: string) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`

function variable(name: Variable, those: readonly Variable[], isSingle: boolean): VariableModel {
  // Chains and nodes belong to their network, not to each other.
  const before = name === 'source' ? those.filter((other) => other !== 'chain') : those
  const matchers = [`__name__=~"${known[name]}"`, ...before.map((other) => `${other}=~"$${other}"`)]
  const query = `label_values({${matchers.join(', ')}}, ${name})`
  const builder = new QueryVariableBuilder(name)
    .label(capital(name))
    .datasource(datasource)
    .query(query)
    .definition(query)
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .multi(!isSingle)
    .includeAll(true)
    .allValue('.+')
    .current({ selected: true, text: isSingle ? 'All' : ['All'], value: isSingle ? '$__all' : ['$__all'] })
  return { ...builder.build(), sort: VariableSort.NaturalAsc }
}

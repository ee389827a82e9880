// A dashboard as a file: rows of panels laid on the grid, and the variables that narrow them.

import {
  DashboardCursorSync,
  type DashboardLink,
  DashboardLinkType,
  DatasourceVariableBuilder,
  type Panel,
  QueryVariableBuilder,
  RowBuilder,
  type RowPanel,
  type VariableModel,
  VariableRefresh,
  VariableSort,
} from '@grafana/grafana-foundation-sdk/dashboard'
import { datasource, idOf } from './panels.ts'
import type { Narrowed, Variable } from './select.ts'

/** Of Grafana's form for files that every version from 10 on reads. */
export interface Dashboard {
  uid: string
  title: string
  description: string
  tags: readonly string[]
  links: DashboardLink[]
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

/** With the time and the variables that are chosen here. */
const toTheOthers: DashboardLink = {
  title: 'Other dashboards',
  type: DashboardLinkType.Dashboards,
  icon: '',
  tooltip: '',
  tags: ['stakewatch'],
  asDropdown: false,
  targetBlank: false,
  includeVars: true,
  keepTime: true,
}

interface About {
  uid: string
  title: string
  description: string
  tags: readonly string[]
}

export function dashboard(about: About, { variables }: Narrowed, rows: Rows): Dashboard {
  return {
    ...about,
    links: [toTheOthers],
    schemaVersion: 42,
    editable: false,
    graphTooltip: DashboardCursorSync.Crosshair,
    time: { from: 'now-24h', to: 'now' },
    refresh: '1m',
    timezone: 'browser',
    templating: {
      list: [
        new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus').build(),
        ...variables.map((name, at) => variable(name, variables.slice(0, at))),
      ],
    },
    panels: laid(rows),
  }
}

const COLUMNS = 24

/** Each row opens with its title; its panels stand side by side as long as there is room. */
function laid(rows: Rows): (Panel | RowPanel)[] {
  let y = 0
  return Object.entries(rows).flatMap(([title, builders]) => {
    const row = new RowBuilder(title)
      .id(idOf(`row ${title}`))
      .gridPos({ x: 0, y, w: COLUMNS, h: 1 })
      .build()
    y += 1
    let x = 0
    let lowest = y
    const panels = builders.map((builder) => {
      const panel = builder.build()
      const { w, h } = panel.gridPos!
      if (x + w > COLUMNS) [x, y] = [0, lowest]
      panel.gridPos = { x, y, w, h }
      x += w
      lowest = Math.max(lowest, y + h)
      return panel
    })
    y = lowest
    return [row, ...panels]
  })
}

/** Where the values of each variable are found: first of all in series that the configuration alone makes. */
const known: Record<Variable, string> = {
  job: 'stakewatch_build_info',
  instance: 'stakewatch_build_info',
  network: 'stakewatch_collector_interval_seconds',
  subnet: 'stakewatch_(validator_tracked|subnet_validators)',
  validator: 'stakewatch_validator_(tracked|info)',
  chain: 'stakewatch_chain_tracked',
  address: 'stakewatch_address_tracked',
}

function variable(name: Variable, those: readonly Variable[]): VariableModel {
  // A chain belongs to its network; the subnet and the validator that were chosen say nothing about it.
  const before = name === 'chain' ? those.slice(0, those.indexOf('subnet')) : those
  const matchers = [`__name__=~"${known[name]}"`, ...before.map((other) => `${other}=~"$${other}"`)]
  const query = `label_values({${matchers.join(', ')}}, ${name})`
  const built = new QueryVariableBuilder(name)
    .label(`${name.slice(0, 1).toUpperCase()}${name.slice(1)}`)
    .datasource(datasource)
    .query(query)
    .definition(query)
    .multi(true)
    .includeAll(true)
    .allValue('.+')
    .current({ selected: true, text: ['All'], value: ['$__all'] })
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .build()
  return { ...built, sort: VariableSort.NaturalAsc }
}

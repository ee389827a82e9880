// The dashboards keep to the rules, each rule notices what it is for, and the committed files are the generated ones.

import {
  type Panel,
  type VariableModel,
  VariableRefresh,
  VariableType,
} from '@grafana/grafana-foundation-sdk/dashboard'
import type { Dataquery } from '@grafana/grafana-foundation-sdk/prometheus'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Dashboard } from '../../dashboards/src/dashboard.ts'
import { dashboards as made } from '../../dashboards/src/all.ts'
import { labelsOfQuery, panelsOf, rules as ofForm, targetsOf } from './lint.ts'
import { looks } from './looks.ts'

const dashboards = Object.keys(made).map(
  (name) => JSON.parse(readFileSync(new URL(`../../dashboards/${name}.json`, import.meta.url), 'utf8')) as Dashboard,
)
const rules = [...ofForm, ...looks]

test('what is committed is what the sources make', () => {
  expect(JSON.parse(JSON.stringify(Object.values(made)))).toEqual(dashboards)
})

const runbooks = new URL('../../docs/runbooks/', import.meta.url)

test.each(readdirSync(runbooks))('each panel that %s names is there', (file) => {
  const text = readFileSync(new URL(file, runbooks), 'utf8').replaceAll(/\s+/g, ' ')
  const name = /(?:_([^_]+)_|"([^"]+)")/.source
  const named = [...text.matchAll(new RegExp(`\\b(?:panels?|tables?) ${name}(?: and ${name})?`, 'gi'))]
    .flatMap(([, ...names]) => names)
    .filter((title) => title !== undefined)
  const titles = dashboards.flatMap(panelsOf).map(({ title }) => title)
  expect(named.filter((title) => !titles.includes(title))).toEqual([])
})

test('a panel that a runbook names next to a metric asks for that metric', () => {
  const panels = dashboards.flatMap(targetsOf)
  /** The runway of a balance is the time to its end. */
  const forms = (metric: string) => [metric, metric.replace('_depletion_timestamp_seconds', '_runway_seconds')]
  const isShown = (title: string, metric: string) =>
    panels.some(({ panel, query }) => panel.title === title && forms(metric).some((one) => query.expr?.includes(one)))
  const next = [
    /panel "([^"]+)"(?: \(|, or )`[^`]*(stakewatch_\w+)/gi,
    /`[^`]*(stakewatch_\w+)[^`]*`[,;] panel _([^_]+)_/g,
  ]
  const named = readdirSync(runbooks).flatMap((file) => {
    const text = readFileSync(new URL(file, runbooks), 'utf8').replaceAll(/\s+/g, ' ')
    return next.flatMap((pattern) =>
      [...text.matchAll(pattern)].map(([, one = '', other = '']) => ({ file, one, other })),
    )
  })
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(({ one, other }) => !isShown(one, other) && !isShown(other, one))).toEqual([])
})

test('legends with a validator name its subnet: a machine may have one name in several', () => {
  const legends = dashboards.flatMap(targetsOf).flatMap(({ query }) => query.legendFormat ?? [])
  const named = legends.filter((legend) => legend.includes('{{validator}}'))
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((legend) => !legend.includes('{{subnet}}'))).toEqual([])
})

test('two instances that are down are two objects, and one has its name', () => {
  const fires = dashboards.flatMap(targetsOf).filter(({ query }) => query.expr.includes('ALERTS_FOR_STATE'))
  expect(fires.length).toBeGreaterThan(0)
  for (const { query } of fires) {
    expect(query.expr).toMatch(/max by \([^)]*\binstance\b[^)]*\) \(ALERTS_FOR_STATE/)
    expect(query.expr).toMatch(/"what", " ", [^)]*"instance"/)
  }
})

test('the clock of an instance is shown as its own: the greatest of all would hide one that is behind', () => {
  const clocks = dashboards.flatMap(targetsOf).filter(({ query }) => query.expr.includes('_clock_offset_seconds'))
  expect(clocks.length).toBeGreaterThan(0)
  for (const { query } of clocks) expect([...labelsOfQuery(query.expr)]).toContain('instance')
})

describe.each(dashboards)('$title', (dashboard) => {
  test.each(rules)('keeps to the rule: $name', ({ findings }) => {
    expect(findings(dashboard)).toEqual([])
  })

  test('has titles that are one of a kind: the id of a panel comes from its title', () => {
    const titles = panelsOf(dashboard).map(({ title }) => title)
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([])
  })

  test('asks for nothing twice in one panel', () => {
    const asked = targetsOf(dashboard).map(({ panel, query }) => `${panel.title}: ${query.expr}`)
    expect(asked.filter((one, at) => asked.indexOf(one) !== at)).toEqual([])
  })
})

const job = 'job=~"$job", instance=~"$instance"'
const supply = `stakewatch_supply_tokens{${job}}`

/** The smallest dashboard without a fault. */
function sound() {
  const variable = (name: string): VariableModel => ({
    type: VariableType.Query,
    name,
    label: name.replace(/^./, (first) => first.toUpperCase()),
    query: `label_values(stakewatch_build_info{}, ${name})`,
    datasource: { type: 'prometheus', uid: '${datasource}' },
    multi: true,
    includeAll: true,
    allValue: '.+',
    refresh: VariableRefresh.OnTimeRangeChanged,
  })
  const target = {
    refId: 'A',
    expr: `max by (network) (${supply})`,
    legendFormat: '{{network}}',
    datasource: { type: 'prometheus', uid: '${datasource}' },
  } as Dataquery
  const panel: Panel = {
    type: 'timeseries',
    id: 7,
    title: 'Supply',
    description: 'Tokens that there are.',
    datasource: { type: 'prometheus', uid: '${datasource}' },
    fieldConfig: { defaults: { unit: 'short' }, overrides: [] },
    options: { legend: { displayMode: 'table', calcs: ['lastNotNull', 'max'] } },
    gridPos: { x: 0, y: 0, w: 12, h: 8 },
    targets: [target],
  }
  const source: VariableModel = {
    type: VariableType.Datasource,
    name: 'datasource',
    label: 'Data source',
    query: 'prometheus',
  }
  const list = [source, variable('job'), variable('instance')]
  const dashboard: Dashboard = { ...made.fleet, editable: false, templating: { list }, panels: [panel] }
  return { dashboard, panel, target, source, job: list[1]!, instance: list[2]! }
}
type Sound = ReturnType<typeof sound>

function asking(expr: string, legendFormat = 'legend') {
  return ({ target }: Sound) => Object.assign(target, { expr, legendFormat })
}

const GREY = { type: 'special', options: { match: 'null+nan', result: { text: 'no data', color: '#5a5f66' } } }
const toSupply = { title: 'Supply', url: '/d/stakewatch-fleet?${__url_time_range}&${datasource:queryparam}' }

/** The panel as a tile, with what is wrong about it. */
function asTile(defaults: object, title = 'Supply') {
  return ({ panel }: Sound) =>
    Object.assign(panel, {
      type: 'stat',
      title,
      fieldConfig: { defaults: { mappings: [GREY], ...defaults }, overrides: [] },
    })
}

const SHORT = { type: 'regex', options: { pattern: '/^(.{8}).{2,}(.{5})$/', result: { text: '$1…$2' } } }

/** The panel as a table of two queries: one column for the network, and one for each. */
function asTable(expr: string, { names = ['Network', 'Supply', 'Other'], sortBy = 'Supply', width = 160 } = {}) {
  return ({ panel, target }: Sound) => {
    const [network, first, second] = names
    const renameByName = { network, 'Value #A': first, ...(second && { 'Value #B': second }) }
    Object.assign(target, { expr, format: 'table' })
    Object.assign(panel, {
      type: 'table',
      gridPos: { x: 0, y: 0, w: 24, h: 8 },
      options: { sortBy: [{ displayName: sortBy }] },
      targets: [target, { ...target, refId: 'B', expr: `max by (network) (${supply})` }],
      transformations: [{ id: 'organize', options: { renameByName, excludeByName: {} } }],
      fieldConfig: {
        defaults: { unit: 'string' },
        overrides: names.map((options, at) => ({
          matcher: { id: 'byName', options },
          properties: [
            { id: 'unit', value: at === 0 ? 'string' : 'short' },
            { id: 'custom.width', value: width },
            ...(at === 0 ? [{ id: 'mappings', value: [SHORT] }] : []),
          ],
        })),
      },
    })
  }
}

const BEGINNINGS = 'beginnings of critical alerts are drawn in'

function annotating(change: (expr: string) => string) {
  return ({ dashboard }: Sound) => {
    const [annotation] = dashboard.annotations.list
    dashboard.annotations = { list: [{ ...annotation!, expr: change(annotation!.expr!) }] }
  }
}

const full = `(max by (network) (${supply})) or (max by (network) (${supply})) * 0 + Inf`

function asGraph(expr: string, defaults: object = {}, legend: object = {}) {
  return (made: Sound) => {
    asking(expr)(made)
    Object.assign(made.panel, {
      fieldConfig: { defaults: { unit: 'none', ...defaults }, overrides: [] },
      options: { legend: { displayMode: 'table', calcs: ['lastNotNull', 'max'], ...legend } },
    })
  }
}

const budget = `stakewatch_validator_downtime_budget_seconds{${job}}`
const opinion = `stakewatch_validator_connected{${job}}`
const votes = `stakewatch_node_votes{${job}}`
const verdict = `stakewatch_condition{${job}}`
const runs = `stakewatch_collector_runs_total{${job}}`

describe('the rules', () => {
  test('find nothing in a sound dashboard', () => {
    const { dashboard } = sound()
    expect(rules.flatMap(({ findings }) => findings(dashboard))).toEqual([])
  })

  const bad: [rule: string, what: string, spoil: (sound: Sound) => unknown][] = [
    ['datasource variable', 'under another name', ({ source }) => (source.name = 'prometheus')],
    ['datasource variable', 'there twice', ({ dashboard, source }) => dashboard.templating.list.push(source)],
    ['not editable', 'editable', ({ dashboard }) => (dashboard.editable = true)],
    [
      'known by id',
      'two panels of one id',
      ({ dashboard, panel }) => {
        dashboard.panels.push({ ...panel, gridPos: { x: 12, y: 0, w: 12, h: 8 } })
      },
    ],
    ['known by id', 'a panel without id', ({ panel }) => delete panel.id],
    [
      'job and instance variables',
      'no job',
      ({ dashboard, job }) => {
        dashboard.templating.list = dashboard.templating.list.filter((one) => one !== job)
      },
    ],
    [
      'variables in use',
      'one that is not',
      ({ dashboard, job }) => {
        dashboard.templating.list.push({
          ...job,
          name: 'version',
          label: 'Version',
          query: 'label_values(stakewatch_build_info{}, version)',
        })
      },
    ],
    [
      'grid',
      'one panel over another',
      ({ dashboard, panel }) => {
        dashboard.panels.push({ ...panel, id: 8, gridPos: { x: 11, y: 7, w: 12, h: 8 } })
      },
    ],
    ['grid', 'beyond the right edge', ({ panel }) => (panel.gridPos!.x = 13)],
    ['variable form', 'one value at a time', ({ job }) => (job.multi = false)],
    ['variable form', 'never all of them', ({ job }) => (job.includeAll = false)],
    ['variable form', 'all of them by .*', ({ job }) => (job.allValue = '.*')],
    ['variable form', 'a fixed data source', ({ job }) => (job.datasource!.uid = 'prometheus')],
    ['variable form', 'another label', ({ job }) => (job.label = 'Work')],
    ['variable refresh', 'on load alone', ({ job }) => (job.refresh = VariableRefresh.OnDashboardLoad)],
    ['variable query', 'not of label values', ({ job }) => (job.query = 'stakewatch_build_info')],
    ['variable query', 'not PromQL', ({ job }) => (job.query = 'label_values(stakewatch_build_info{job=~}, job)')],
    ['variable query', 'an unknown metric', ({ job }) => (job.query = 'label_values(stakewatch_info{}, job)')],
    [
      'variable query',
      'an unknown label',
      ({ instance }) => (instance.query = 'label_values(stakewatch_build_info{job=~"$job", network=~".+"}, instance)'),
    ],
    [
      'variable query',
      'names by a pattern that nothing matches',
      ({ job }) => (job.query = 'label_values({__name__=~"stakewatch_(a|b)"}, job)'),
    ],
    ['title and description', 'no description', ({ panel }) => delete panel.description],
    ['title and description', 'no title', ({ panel }) => (panel.title = '')],
    ['units', 'none', ({ panel }) => delete panel.fieldConfig!.defaults.unit],
    [
      'units',
      'one that Grafana does not know, of a single column',
      ({ panel }) => {
        panel.fieldConfig!.overrides.push({
          matcher: { id: 'byName', options: 'A' },
          properties: [{ id: 'unit', value: 'secs' }],
        })
      },
    ],
    [
      'open windows are drawn in',
      'not at all',
      ({ dashboard }) => {
        dashboard.annotations = { list: dashboard.annotations.list.slice(0, 1) }
      },
    ],
    ['blue is maintenance', 'in a tile', asTile({ thresholds: { steps: [{ value: null, color: 'blue' }] } })],
    ['queries', 'none', ({ panel }) => (panel.targets = [])],
    ['queries', 'two of one name', ({ panel, target }) => panel.targets!.push(target)],
    ['panel data source', 'a fixed one', ({ panel }) => (panel.datasource = { type: 'prometheus', uid: 'prometheus' })],
    [
      'panel data source',
      'a fixed one of a query',
      ({ target }) => (target.datasource = { type: 'prometheus', uid: 'main' }),
    ],
    ['parses', 'an open bracket', asking(`sum(${supply}`)],
    ['parses', 'nothing', asking('')],
    ['metrics', 'misspelt', asking(`stakewatch_suply_tokens{${job}}`)],
    ['metrics', 'of others', asking(`up{${job}}`)],
    ['matchers', 'on a label that the metric has not', asking(`stakewatch_supply_tokens{${job}, chain="x"}`)],
    ['grouping', 'by a label that the metric has not', asking(`max by (validator) (${supply})`)],
    ['grouping', 'by a label that was grouped away', asking(`max by (subnet) (max by (network) (${supply}))`)],
    ['grouping', 'without a label that the metric has not', asking(`max without (chain) (${supply})`)],
    [
      'joins',
      'that take over labels in which replicas may differ',
      asking(`max by (network) (${supply}) * on (network) group_left (source) max by (network, source) (${opinion})`),
    ],
    [
      'states',
      'whose numbers are added, where replicas may differ',
      asking(
        ['starting', 'not_answering']
          .map((state, at) => `${at} * max by (source) (stakewatch_node_state{${job}, state="${state}"})`)
          .join(' + '),
      ),
    ],
    ['labels of targets', 'all but those known', asking(`max without (job, instance) (${supply})`)],
    ['narrowed by the variables', 'no job', asking('stakewatch_supply_tokens{instance=~"$instance"}')],
    [
      'narrowed by the variables',
      'a job of one value alone',
      asking('stakewatch_supply_tokens{job="$job", instance=~"$instance"}'),
    ],
    [
      'narrowed by the variables',
      'a verdict whose object has to have the label',
      ({ dashboard, target }) => {
        dashboard.templating.list.push({ ...sound().job, name: 'chain', label: 'Chain' })
        target.expr = `max by (network) (${verdict.replace('}', ', chain=~"$chain"}')})`
      },
    ],
    ['narrowed by the variables', 'one selector of two', asking(`${supply} / stakewatch_supply_tokens`)],
    ['ranges', 'a fixed one', asking(`rate(${runs}[5m])`)],
    ['ranges', 'that of the dashboard, from each of its points', asking(`increase(${runs}[$__range])`)],
    ['counters', 'as it is', asking(runs)],
    ['counters', 'its sum', asking(`sum(${runs})`)],
    [
      'counters',
      'the buckets of a histogram',
      asking(`histogram_quantile(0.9, stakewatch_chain_block_size_bytes_bucket{${job}})`),
    ],
    ['counters', 'the rate of a gauge', asking(`rate(${supply}[$__rate_interval])`)],
    ['opinions', 'added up', asking(`sum by (validator) (${opinion})`)],
    ['opinions', 'added up after a comparison', asking(`sum(${opinion} == bool 0)`)],
    ['opinions', 'counted', asking(`count without (source) (max without (instance) (${opinion}))`)],
    ['votes', 'the mean of all nodes', asking(`avg by (validator) (${opinion})`)],
    ['votes', 'their median', asking(`quantile by (validator) (0.5, ${opinion})`)],
    [
      'legends begin with the object',
      'with the network',
      asking(`max by (network, instance) (${supply})`, '{{network}} {{instance}}'),
    ],
    ['legend', 'none', asking(supply, '')],
    ['legend', 'left to Grafana', asking(supply, '__auto')],
    ['legend', 'of a label that is not there', asking(`max by (network) (${supply})`, '{{subnet}}')],
    [
      'legend',
      'of a label that the left side lacks',
      asking(`max by (network) (${supply}) / on (network) group_left () ${supply}`, '{{subnet}}'),
    ],
    [
      'legend',
      'of a quantile: the bound of the buckets',
      asking(
        `histogram_quantile(0.9, sum by (le) (rate(stakewatch_chain_block_size_bytes_bucket{${job}}[$__rate_interval])))`,
        '{{le}}',
      ),
    ],
    ['legend', 'a table as series', ({ panel }) => (panel.type = 'table')],
    ['no data is grey', 'left to the base of the thresholds', asTile({ mappings: [] })],
    [
      'no data is grey',
      'green',
      asTile({
        mappings: [],
        thresholds: {
          steps: [
            { value: null, color: 'green' },
            { value: 1, color: 'red' },
          ],
        },
      }),
    ],
    ['no data is grey', 'no instance of stakewatch as any other', asTile({}, 'Instances')],
    ['made-up answers', 'zero', asking(`sum(${supply}) or vector(0)`)],
    ['made-up answers', 'of what is not there', asking(`absent(${supply})`)],
    ['columns have names', 'a label as it is', asTable(`max by (network, subnet) (${supply})`)],
    ['columns have names', 'a value as it is', asTable(full, { names: ['Network', 'Supply'] })],
    [
      'columns have names',
      'without a unit',
      (made) => {
        asTable(full)(made)
        made.panel.fieldConfig!.overrides.pop()
      },
    ],
    ['rows without values come last', 'as Grafana sorts them', asTable(`max by (network) (${supply}) > 3`)],
    ['rows without values come last', 'in no order', asTable(full, { sortBy: '' })],
    ['tiles lead on', 'nowhere', asTile({})],
    [
      'links',
      'to a dashboard that is not there',
      asTile({ links: [{ ...toSupply, url: '/d/stakewatch-wallet?a=b' }] }),
    ],
    ['links', 'to a panel that is not there', asTile({ links: [{ ...toSupply, url: `${toSupply.url}&viewPanel=7` }] })],
    ['links', 'losing what is chosen', asTile({ links: [toSupply] })],
    [
      'links',
      'losing the time',
      asTile({ links: [{ ...toSupply, url: '/d/stakewatch-fleet?var-datasource=a&var-job=b&var-instance=c' }] }),
    ],
    [
      'links',
      'by what is shown of a name',
      asTile({
        links: [
          {
            ...toSupply,
            url: '/d/stakewatch-fleet?var-job=${__data.fields["Job"]}&var-instance=b&${__url_time_range}&${datasource:queryparam}',
          },
        ],
      }),
    ],
    ['links', 'out of the house', asTile({ links: [{ ...toSupply, url: 'https://example.org/' }] })],
    ['links between dashboards', 'none', ({ dashboard }) => (dashboard.links = [])],
    [
      'links between dashboards',
      'losing what is chosen',
      ({ dashboard }) => (dashboard.links = dashboard.links.map((link) => ({ ...link, includeVars: false }))),
    ],
    [BEGINNINGS, 'not at all', ({ dashboard }) => (dashboard.annotations = { list: [] })],
    [BEGINNINGS, 'as areas', annotating((expr) => expr.replace(/ unless .*/, ''))],
    [BEGINNINGS, 'warnings as well', annotating((expr) => expr.replaceAll('severity="critical"', 'severity!="info"'))],
    [
      BEGINNINGS,
      'of all subnets',
      (made) => {
        made.dashboard.templating.list.push({ ...made.job, name: 'subnet', label: 'Subnet' })
        annotating((expr) => expr.replaceAll('subnet=~"$subnet|"', 'subnet=~".*"'))(made)
      },
    ],
    [
      'size',
      'too many panels',
      ({ dashboard, panel }) => (dashboard.panels = Array.from({ length: 35 }, (_, at) => ({ ...panel, id: at + 1 }))),
    ],
    ['size', 'four screens', ({ panel }) => (panel.gridPos!.h = 90)],
    [
      'size',
      'a first screen that is too long',
      ({ panel }) => Object.assign(panel, { type: 'stat', gridPos: { x: 0, y: 0, w: 4, h: 21 } }),
    ],
    [
      'size',
      'two open rows',
      ({ dashboard }) =>
        dashboard.panels.push(
          ...[8, 9].map((id) => ({
            ...dashboard.panels[0]!,
            type: 'row' as const,
            id,
            title: 'Row',
            collapsed: false,
            panels: [],
            gridPos: { x: 0, y: id, w: 24, h: 1 },
          })),
        ),
    ],
    ['limits are drawn', 'not at all', asGraph(budget)],
    ['limits are drawn', 'one of two', asGraph(budget, { thresholds: { steps: [{ value: 86_400, color: 'red' }] } })],
    [
      'limits are drawn',
      'in seconds where days are shown',
      asGraph(budget, {
        unit: 'suffix: d',
        custom: { thresholdsStyle: { mode: 'dashed' } },
        thresholds: {
          steps: [
            { value: 86_400, color: 'red' },
            { value: 259_200, color: 'orange' },
          ],
        },
      }),
    ],
    [
      'limits are drawn',
      'out of sight',
      asGraph(budget, {
        thresholds: {
          steps: [
            { value: 86_400, color: 'red' },
            { value: 259_200, color: 'orange' },
          ],
        },
      }),
    ],
    ['legends tell the latest and the worst', 'a list', asGraph(supply, {}, { displayMode: 'list' })],
    ['legends tell the latest and the worst', 'the latest alone', asGraph(supply, {}, { calcs: ['lastNotNull'] })],
    ['events are whole', 'in a graph', asGraph(`increase(${runs}[$__interval])`)],
    [
      'events are whole',
      'in a column',
      (made) => {
        asTable(`max by (network) (increase(${runs}[$__range]))`)(made)
        made.panel.fieldConfig!.overrides[1]!.properties[0]!.value = 'none'
      },
    ],
    ['long times are in days', 'in seconds', asGraph(budget, { unit: 's' })],
    ['events are bars', 'events as lines', asGraph(`increase(${runs}[$__interval])`)],
    ['events are bars', 'lines as bars', asGraph(supply, { custom: { drawStyle: 'bars' } })],
    [
      'events are bars',
      'of no least width',
      asGraph(`increase(${runs}[$__interval])`, { custom: { drawStyle: 'bars' } }, { calcs: ['sum', 'max'] }),
    ],
  ]

  test.each(bad)('%s: %s', (rule, _, spoil) => {
    const made = sound()
    spoil(made)
    const found = rules.filter(({ findings }) => findings(made.dashboard).length > 0).map(({ name }) => name)
    expect(found).toContain(rule)
  })

  test('are all shown to find something', () => {
    expect(new Set(bad.map(([rule]) => rule))).toEqual(new Set(rules.map(({ name }) => name)))
  })

  test.each([
    [
      'an opinion put to a vote',
      `sum(avg by (validator) (max by (validator, source) (${opinion}) unless on (source) ${votes} == 0) > bool 0.5)`,
      'legend',
    ],
    ['an opinion added up within each source', `sum by (source) (${opinion})`, '{{source}}'],
    ['a rate', `sum by (result) (rate(${runs}[$__rate_interval]))`, '{{result}}'],
    ['an age', `time() - ${supply}`, '{{subnet}} {{network}}'],
    ['the labels of one side', `max by (network) (${supply}) unless on (network) ${opinion}`, '{{network}}'],
    ['a histogram', `rate(stakewatch_chain_block_size_bytes_sum{${job}}[$__rate_interval])`, '{{chain}} {{instance}}'],
    ['what nodes say of themselves, added up', `sum(stakewatch_node_peers{${job}})`, 'legend'],
    ['the growth in the time that the dashboard shows', `increase(${runs}[$__range])`, '{{collector}}'],
  ])('let pass: %s', (_, expr, legend) => {
    const made = sound()
    asking(expr, legend)(made)
    made.target.instant = expr.includes('$__range')
    expect(rules.flatMap(({ findings }) => findings(made.dashboard))).toEqual([])
  })
})

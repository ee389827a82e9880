// What every dashboard of ours has to keep to: each rule gives what it finds wrong, in words.

import {
  type Panel,
  type RowPanel,
  type VariableModel,
  VariableRefresh,
  VariableType,
} from '@grafana/grafana-foundation-sdk/dashboard'
import { type Dataquery, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus'
import * as units from '@grafana/grafana-foundation-sdk/units'
import type { Dashboard } from '../../dashboards/src/dashboard.ts'
import { collectors } from '../../src/collectors/index.ts'
import { daemonMetrics } from '../../src/self/daemon-metrics.ts'
import { storageMetrics } from '../../src/storage/storage-metrics.ts'
import { createSelf } from '../../src/self/instance.ts'
import { configurationMetrics } from '../../src/self/known.ts'
import { type Catalogue, read, type Read, stored } from './promql.ts'

/** What a node says of itself is no opinion. */
const observed = collectors
  .filter(({ observer }) => observer === 'each')
  .flatMap(({ metrics }) => metrics)
  .filter(({ name }) => !name.startsWith('stakewatch_node_'))
const ofAlerts =
  'alertname alertstate severity network subnet node_id validator chain source address route probe collector target window shard_ordinal'.split(
    ' ',
  )
const catalogue: Catalogue = new Map(
  [
    ...collectors.flatMap(({ metrics }) => metrics),
    ...daemonMetrics,
    ...storageMetrics,
    ...configurationMetrics,
    ...createSelf('').metrics,
    // What Prometheus itself writes of alerts; what they are about is for the rules to say.
    ...['ALERTS', 'ALERTS_FOR_STATE'].map((name) => ({ name, type: 'gauge' as const, help: '', labels: ofAlerts })),
  ].flatMap(stored),
)
const opinions: ReadonlySet<string> = new Set(observed.map(({ name }) => name))

/** The expression with values in the place of the ranges that Grafana fills in. */
function ranged(expression: string, rateInterval: string, range: string): string {
  return expression
    .replaceAll('$__rate_interval', rateInterval)
    .replaceAll('$__interval', rateInterval)
    .replaceAll('$__range', range)
}

/** The same with values in the place of all of Grafana's variables. */
export function filledIn(expression: string, rateInterval: string, range = rateInterval): string {
  return ranged(expression, rateInterval, range).replace(/\$\{?[a-z_]\w*\}?/g, '.+')
}

function isRow(panel: Panel | RowPanel): panel is RowPanel {
  return panel.type === 'row'
}

/** Those of folded rows as well. */
export function panelsOf({ panels }: Dashboard): Panel[] {
  return panels.flatMap((panel: Panel | RowPanel) => (isRow(panel) ? panel.panels : [panel]))
}

export interface Target {
  panel: Panel
  query: Dataquery
}

export function targetsOf(dashboard: Dashboard): Target[] {
  return panelsOf(dashboard).flatMap((panel) =>
    (panel.targets ?? []).map((target) => ({ panel, query: target as Dataquery })),
  )
}

/** Labels of the series that it gives, without those that Prometheus itself adds when nothing is aggregated. */
export function labelsOfQuery(expression: string): ReadonlySet<string> {
  return read(filledIn(expression, '1m'), catalogue, opinions).labels
}

/** What its queries read, under the names by which Prometheus stores it. */
export function metricsOf(dashboard: Dashboard): string[] {
  return targetsOf(dashboard)
    .flatMap(({ query }) => read(filledIn(query.expr, '1m'), catalogue, opinions).selectors)
    .map(({ metric = '' }) => metric)
}

export function variablesOf({ templating }: Dashboard): VariableModel[] {
  return templating.list
}

/** Of a query variable: `label_values(selector, label)`. */
export function labelValues({ query }: VariableModel): { selector: string; label: string } | undefined {
  const [, selector, label] = /^label_values\((.+), (\w+)\)$/.exec(typeof query === 'string' ? query : '') ?? []
  return selector === undefined || label === undefined ? undefined : { selector, label }
}

export interface Rule {
  name: string
  findings(dashboard: Dashboard): string[]
}

const DATASOURCE = '${datasource}'

const ofDashboard: Rule[] = [
  {
    name: 'datasource variable',
    findings(dashboard) {
      const found = variablesOf(dashboard).filter(({ type }) => type === VariableType.Datasource)
      const isRight =
        found.length === 1 &&
        found[0]!.name === 'datasource' &&
        found[0]!.label === 'Data source' &&
        found[0]!.query === 'prometheus'
      return isRight ? [] : ['has not exactly one data source variable, by its proper name']
    },
  },
  { name: 'not editable', findings: ({ editable }) => (!editable ? [] : ['is editable']) },
  {
    name: 'known by id',
    findings(dashboard) {
      const { uid, panels } = dashboard
      const ids = [...panels.filter(isRow), ...panelsOf(dashboard)].map(({ id }) => id)
      const repeated = ids.filter((id, at) => id === undefined || ids.indexOf(id) !== at)
      return [...(uid ? [] : ['has no uid']), ...repeated.map((id) => `two panels, or one without, have the id ${id}`)]
    },
  },
  {
    name: 'job and instance variables',
    findings: (dashboard) =>
      ['job', 'instance']
        .filter((wanted) => variablesOf(dashboard).every(({ name }) => name !== wanted))
        .map((wanted) => `has no variable ${wanted}`),
  },
  {
    name: 'variables in use',
    findings: (dashboard) =>
      variablesOf(dashboard)
        .filter(({ name }) => targetsOf(dashboard).every(({ query }) => !query.expr.includes(`"$${name}"`)))
        .filter(({ type }) => type === VariableType.Query)
        .map(({ name }) => `no query uses the variable ${name}`),
  },
  {
    name: 'grid',
    findings({ panels }) {
      return [panels, ...panels.filter(isRow).map((row) => row.panels)].flatMap((together) => {
        const boxes = together.map(({ title, gridPos }) => ({ title, ...gridPos! }))
        const wide = boxes.filter(({ x, w }) => x + w > 24).map(({ title }) => `${title} is off the grid`)
        const over = boxes.flatMap((a, at) =>
          boxes
            .slice(at + 1)
            .filter((b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h)
            .map((b) => `${a.title} lies over ${b.title}`),
        )
        return [...wide, ...over]
      })
    },
  },
]

/** A rule on each query variable. */
function onVariable(name: string, wrong: (variable: VariableModel) => string | undefined): Rule {
  return {
    name,
    findings: (dashboard) =>
      variablesOf(dashboard)
        .filter(({ type }) => type === VariableType.Query)
        .flatMap((variable) => {
          const found = wrong(variable)
          return found === undefined ? [] : [`variable ${variable.name} ${found}`]
        }),
  }
}

const ofVariables: Rule[] = [
  onVariable('variable form', ({ multi, includeAll, allValue, datasource, label, name }) => {
    if (!includeAll || allValue !== '.+') return 'cannot be all values by .+'
    if (!multi && name !== 'validator') return 'cannot be many values'
    if (datasource?.uid !== DATASOURCE) return 'does not ask the chosen data source'
    return label?.toLowerCase() === name && label !== name ? undefined : 'is not labelled by its name'
  }),
  onVariable('variable refresh', ({ refresh }) =>
    refresh === VariableRefresh.OnTimeRangeChanged ? undefined : 'is not refreshed with the time range',
  ),
  onVariable('variable query', (variable) => {
    const query = labelValues(variable)
    if (query === undefined) return 'is not a query of label values'
    const { isValid, selectors } = read(filledIn(query.selector, '1m'), catalogue, opinions)
    const [selector] = selectors
    if (!isValid || selector === undefined) return 'does not parse'
    const chosen = /^=~"(.+)"$/.exec(selector.matchers['__name__'] ?? '')?.[1] ?? selector.metric ?? ''
    const found = [...catalogue.values()].filter(({ name }) => new RegExp(`^(?:${chosen})$`).test(name))
    if (found.length === 0) return `asks for ${chosen}, which is not in the catalogue`
    const asked = [...Object.keys(selector.matchers).filter((label) => label !== '__name__'), query.label]
    const known = (label: string) => found.every(({ labels }) => ['job', 'instance', ...labels].includes(label))
    const unknown = asked.filter((label) => !known(label))
    return unknown.length === 0 ? undefined : `asks for labels that ${chosen} has not: ${unknown.join()}`
  }),
]

/** A rule on each panel. */
export function onPanel(name: string, wrong: (panel: Panel) => string | undefined): Rule {
  return {
    name,
    findings: (dashboard) =>
      panelsOf(dashboard).flatMap((panel) => {
        const found = wrong(panel)
        return found === undefined ? [] : [`panel ${panel.title} ${found}`]
      }),
  }
}

const knownUnits = new Set<unknown>(Object.values(units))

const ofPanels: Rule[] = [
  onPanel('title and description', ({ title = '', description = '' }) =>
    title !== '' && /^[A-Z].+\.$/s.test(description) ? undefined : 'lacks a title, or sentences that describe it',
  ),
  onPanel('units', ({ fieldConfig }) => {
    const overridden = fieldConfig?.overrides.flatMap(({ properties }) => properties).filter(({ id }) => id === 'unit')
    const used = [fieldConfig?.defaults.unit, ...(overridden ?? []).map(({ value }) => value as unknown)]
    // Grafana writes whatever follows behind the number.
    const isOwn = (unit: unknown) => /^(count|suffix):\s?\S+$/.test(String(unit))
    const unknown = used.filter((unit) => !knownUnits.has(unit) && !isOwn(unit))
    return unknown.length === 0 ? undefined : `has no unit that Grafana knows: ${unknown.join()}`
  }),
  onPanel('queries', ({ targets = [] }) => {
    const ids = targets.map((target) => (target as Dataquery).refId)
    return ids.length > 0 && new Set(ids).size === ids.length ? undefined : 'has no queries, or two of one name'
  }),
  onPanel('panel data source', ({ datasource, targets = [] }) => {
    const asked = [datasource, ...targets.map((target) => (target as Dataquery).datasource)]
    return asked.every((one) => one?.uid === DATASOURCE) ? undefined : 'does not ask the chosen data source'
  }),
]

/** A rule on each query, with what it reads. */
function onQuery(name: string, wrong: (read: Read, target: Target, variables: readonly string[]) => string[]): Rule {
  return {
    name,
    findings(dashboard) {
      const names = variablesOf(dashboard).map(({ name }) => name)
      return targetsOf(dashboard).flatMap((target) => {
        const { panel, query } = target
        const found = wrong(read(filledIn(query.expr, '1m'), catalogue, opinions), target, names)
        return found.map((what) => `query ${query.refId} of ${panel.title} ${what}`)
      })
    },
  }
}

/** A condition may be about any kind of object, so that it lacks the labels of the others. */
function narrowing(metric: string, label: string): string {
  const isMissing = metric.startsWith('stakewatch_condition') && !['job', 'instance'].includes(label)
  return isMissing && catalogue.get(metric)!.labels.includes('validator') ? `=~"$${label}|"` : `=~"$${label}"`
}

const perTime = ['rate', 'increase', 'irate', 'resets', 'changes']

const ofQueries: Rule[] = [
  onQuery('parses', ({ isValid }, { query }) => (isValid && query.expr !== '' ? [] : ['does not parse'])),
  onQuery('metrics', ({ selectors }) =>
    selectors
      .filter(({ metric = '' }) => !catalogue.has(metric))
      .map(({ metric }) => `names ${metric}: no such metric`),
  ),
  onQuery('matchers', ({ selectors }) =>
    selectors.flatMap(({ metric = '', matchers }) =>
      Object.keys(matchers)
        .filter((label) => !['job', 'instance', ...(catalogue.get(metric)?.labels ?? [])].includes(label))
        .map((label) => `matches on ${label}, which ${metric} has not`),
    ),
  ),
  onQuery('grouping', ({ aggregations }) =>
    aggregations.flatMap(({ named, from, operator }) =>
      named.filter((label) => !from.has(label)).map((label) => `${operator} by ${label}, which is not there`),
    ),
  ),
  onQuery('joins', (_, { query }) =>
    [...query.expr.matchAll(/group_(?:left|right) \((\w[^)]*)\)/g)].map(
      ([, labels]) => `fails once replicas differ in ${labels}: the side that has them has to be the one with many`,
    ),
  ),
  onQuery('states', (_, { query }) =>
    /\bstate="[^"]*"[^}]*\}\)* \+ \d+ \*/.test(query.expr)
      ? ['adds the numbers of states in which replicas may differ']
      : [],
  ),
  onQuery('labels of targets', (_, { query }) =>
    / without \([^)]*\b(?:job|instance)\b/.test(query.expr)
      ? ['keeps the labels that it does not know, such as pod']
      : [],
  ),
  onQuery('narrowed by the variables', (_, { query }, variables) => {
    // Read with the variables' names still in place: the syntax of a string does not mind them.
    const { selectors } = read(ranged(query.expr, '1m', '1m'), catalogue, opinions)
    return selectors
      .filter(({ metric = '' }) => !metric.startsWith('ALERTS'))
      .flatMap(({ metric = '', matchers }) =>
        ['job', 'instance', ...(catalogue.get(metric)?.labels ?? [])]
          .filter((label) => variables.includes(label) && matchers[label] !== narrowing(metric, label))
          .map((label) => `does not narrow ${metric} by $${label}`),
      )
  }),
  onQuery('ranges', (_, { query }) => {
    const { selectors } = read(ranged(query.expr, '59m', '58m'), catalogue, opinions)
    // Over time, the time that the dashboard shows would be looked back on from each of its points.
    const isRight = (range: string) => range === '59m' || (range === '58m' && query.instant === true)
    return selectors
      .filter(({ range }) => range !== undefined && !isRight(range))
      .map(({ metric, range }) => `reads ${metric} over ${range} instead of one of Grafana's ranges`)
  }),
  onQuery('counters', ({ selectors }) =>
    selectors.flatMap(({ metric = '', within = '' }) => {
      const isCounter = catalogue.get(metric)?.type === 'counter'
      if (isCounter === perTime.includes(within)) return []
      return [isCounter ? `shows the counter ${metric} as it is` : `takes the ${within} of ${metric}, no counter`]
    }),
  ),
  onQuery('opinions', ({ aggregations }) =>
    aggregations
      .filter(({ operator, overOpinions, from, to }) => {
        return overOpinions && ['sum', 'count'].includes(operator) && from.has('source') && !to.has('source')
      })
      .map(({ operator }) => `takes the ${operator} of opinions over their sources`),
  ),
  onQuery('votes', ({ aggregations, selectors }) =>
    aggregations
      .filter(({ operator, overOpinions, from, to }) => {
        return overOpinions && ['avg', 'quantile'].includes(operator) && from.has('source') && !to.has('source')
      })
      .filter(() => selectors.every(({ metric }) => metric !== 'stakewatch_node_votes'))
      .map(({ operator }) => `takes the ${operator} of opinions, with those that have no vote`),
  ),
  onQuery('legend', ({ labels }, { query, panel }) => {
    if (panel.type === 'table') return query.format === PromQueryFormat.Table ? [] : ['is not in the form of a table']
    const { legendFormat = '' } = query
    if (legendFormat === '' || legendFormat === '__auto') return ['has no legend']
    return [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)]
      .filter(([, label]) => !labels.has(label!))
      .map(([, label]) => `has a legend of ${label}, which is not there`)
  }),
]

export const rules: readonly Rule[] = [...ofDashboard, ...ofVariables, ...ofPanels, ...ofQueries]

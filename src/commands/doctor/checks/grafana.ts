// Grafana: whether its data source has our series, and its dashboards are those of this version and work.

import { listed } from '../../../lib/figures.ts'
import { pages } from '../../../alerts/links.ts'
import { formatDuration } from '../../../lib/duration.ts'
import { greatest } from '../../../lib/statistics.ts'
import { lengthOf } from '../../monitoring/foreign.ts'
import { BaseError } from '../../../errors.ts'
import type { DataSource, Grafana, InstalledDashboard, InstalledPanel } from '../../monitoring/grafana.ts'
import { check, fact, failed, type Gate, ok, unlessOk, warning } from '../check.ts'
import { instances, ruleGroups, scrapedOf, targets } from '../facts.ts'

const health = fact('grafana', (grafana) => grafana.health())
const settings = fact('grafana', (grafana) => grafana.settings())
const installed = fact('grafana', async (grafana) => {
  const all = await Promise.all(pages.map((page) => grafana.dashboard(uidOf(page))))
  return new Map(pages.map((page, at) => [uidOf(page), all[at]]))
})
/** How many instances of stakewatch each data source of Prometheus has, or why it does not answer. */
const sources = fact('grafana', sourcesOf)
/** The values of each variable, by dashboard, as the data source gives them. */
const values = fact('grafana', valuesOf)

const uidOf = (page: string) => `stakewatch-${page}`

export const grafanaGate: Gate = {
  name: 'grafana/answers',
  why: 'The links of alerts lead to Grafana.',
  fact: health,
}

const IMPORT = 'install the files in dashboards/ of this version'

export const grafanaChecks = [
  check({
    name: 'grafana/data-source',
    why: 'The dashboards show nothing.',
    needs: { sources },
    judge({ sources }) {
      const [first] = sources
      if (!first) {
        return failed('Grafana has no data source for Prometheus', 'add one with the address of Prometheus')
      }
      const { name } = first.source
      if ('error' in first) {
        return failed(
          `the data source ${name} fails: ${first.error.message}`,
          `correct the URL and the password of the data source ${name}`,
        )
      }
      if (first.instances > 0) return ok(`${name} has series of stakewatch`)
      const others = sources.filter((one) => 'instances' in one && one.instances > 0)
      return failed(
        `the data source ${name} has no series of stakewatch`,
        others.length > 0
          ? `make ${others[0]!.source.name} the default data source: it has them`
          : `give the data source ${name} the URL of the Prometheus that scrapes stakewatch`,
      )
    },
  }),
  check({
    name: 'grafana/interval',
    why: 'Rates need two samples: graphs have gaps if Grafana thinks that they come more often.',
    needs: { sources, targets, instances },
    judge({ sources, targets, instances }) {
      const [first] = sources
      const scrapes = scrapedOf(targets, instances).flatMap(({ scrapeInterval }) => scrapeInterval ?? [])
      if (!first || scrapes.length === 0) return []
      const { name, jsonData } = first.source
      const assumed = lengthOf(jsonData.timeInterval ?? '') ?? 15_000
      const scraped = greatest(scrapes)
      const found = `the data source ${name} assumes a scrape every ${formatDuration(assumed)}, and there is one every ${formatDuration(scraped)}`
      if (assumed >= scraped) return ok(`${name} knows how often Prometheus scrapes`)
      return warning(
        found,
        `set the scrape interval of the data source ${name} (timeInterval) to ${formatDuration(scraped)}`,
      )
    },
  }),
  check({
    name: 'grafana/dashboards',
    why: 'The links of alerts lead to them, and a dashboard of another version asks for other metrics.',
    needs: { installed },
    judge({ installed }, { dashboards }) {
      const missing = [...installed].flatMap(([uid, one]) => (one ? [] : [uid]))
      const old = [...installed].flatMap(([uid, one]) => (one ? differencesOf(one, dashboards.get(uid)!) : []))
      return unlessOk(
        [
          ...(missing.length === 0 ? [] : failed(`not installed: ${listed(missing, 9)}`, IMPORT)),
          ...old.flatMap((found) => warning(found, IMPORT)),
        ],
        `all ${installed.size} are those of this version`,
      )
    },
  }),
  check({
    name: 'grafana/variables',
    why: 'A dashboard whose variable has no value shows nothing.',
    needs: { values },
    judge: ({ values }) =>
      unlessOk(
        values.flatMap(({ uid, empty, foreign }) => [
          ...empty.flatMap((name) =>
            failed(
              `the variable ${name} of ${uid} has no value`,
              'let Prometheus scrape stakewatch, and keep its labels; then reload the dashboard',
            ),
          ),
          ...foreign.flatMap((name) =>
            failed(
              `${uid} uses the data source ${name}, which is gone`,
              `choose the data source in ${uid} and save it, or ${IMPORT}`,
            ),
          ),
        ]),
        'every variable has values',
      ),
  }),
  check({
    name: 'grafana/links',
    why: 'The link in a page leads nowhere.',
    needs: { settings, ruleGroups },
    judge({ settings: { appUrl }, ruleGroups }) {
      const links = ruleGroups
        .flatMap(({ rules }) => rules)
        .flatMap((rule) => (rule.type === 'alerting' ? (rule.annotations['dashboard_url'] ?? []) : []))
        .filter((url) => url.includes('/d/stakewatch-'))
      const bases = [...new Set(links.map((url) => url.slice(0, url.indexOf('d/stakewatch-'))))]
      const wrong = bases.filter((base) => base.replace(/\/$/, '') !== appUrl.replace(/\/$/, ''))
      return unlessOk(
        wrong.flatMap((base) =>
          warning(
            `alerts link to ${base}, and Grafana is at ${appUrl}`,
            `print the rules with stakewatch alerts --dashboard-base=${appUrl}, or set root_url of Grafana`,
          ),
        ),
        'alerts link to this Grafana',
      )
    },
  }),
]

type Source = { source: DataSource } & ({ instances: number } | { error: BaseError })

/** The one that a dashboard takes by itself comes first. */
async function sourcesOf(grafana: Grafana): Promise<readonly Source[]> {
  const { dataSources } = await grafana.settings()
  const ours = dataSources
    .filter(({ type }) => type === 'prometheus')
    .toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault) || a.name.localeCompare(b.name))
  return Promise.all(
    ours.map(async (source): Promise<Source> => {
      try {
        return { source, instances: (await grafana.through(source).query('stakewatch_build_info')).length }
      } catch (error) {
        if (error instanceof BaseError) return { source, error }
        throw error
      }
    }),
  )
}

/** These have a value in every setup; others depend on what is watched. */
const ALWAYS = new Set(['job', 'instance', 'network'])

async function valuesOf(grafana: Grafana) {
  const [{ dataSources }, all] = await Promise.all([
    grafana.settings(),
    Promise.all(pages.map((page) => grafana.dashboard(uidOf(page)))),
  ])
  const [first] = await sourcesOf(grafana)
  if (!first || 'error' in first) return []
  const prometheus = grafana.through(first.source)
  return Promise.all(
    all
      .flatMap((one) => (one ? [one] : []))
      .map(async ({ uid, templating: { list } }) => {
        const queries = list.flatMap(({ name, type, query }) => {
          const [, selector, label] = /^label_values\((.*), (\w+)\)$/.exec(query) ?? []
          return type === 'query' && ALWAYS.has(name) && selector ? [{ name, selector, label: label! }] : []
        })
        const counts = await Promise.all(
          // With nothing chosen a variable stands for everything.
          queries.map(({ selector, label }) => prometheus.labelValues(label, selector.replaceAll(/\$\w+/g, '.+'))),
        )
        const chosen = list.flatMap(({ type, current }) => (type === 'datasource' ? chosenIn(current) : []))
        const isKnown = (id: string) =>
          id === 'default' || dataSources.some(({ uid, name }) => uid === id || name === id)
        return {
          uid,
          empty: queries.flatMap(({ name }, at) => (counts[at]!.length === 0 ? [name] : [])),
          foreign: chosen.filter((id) => id !== '' && !isKnown(id)),
        }
      }),
  )
}

function chosenIn(current: unknown): string[] {
  const value = typeof current === 'object' && current !== null && 'value' in current ? current.value : undefined
  return typeof value === 'string' ? [value] : []
}

/** Grafana adds numbers and positions of its own: what counts are the queries. */
function differencesOf(one: InstalledDashboard, ours: InstalledDashboard): string[] {
  const [theirs, wanted] = [queriesOf(one), queriesOf(ours)]
  const titles = [...new Set([...theirs.keys(), ...wanted.keys()])].filter(
    (title) => theirs.get(title) !== wanted.get(title),
  )
  if (titles.length === 0) return []
  return [`${ours.uid} is not of this version: ${listed(titles)} ${titles.length === 1 ? 'differs' : 'differ'}`]
}

function queriesOf({ panels, templating: { list } }: InstalledDashboard): Map<string, string> {
  const inside = (some: readonly InstalledPanel[]): readonly InstalledPanel[] =>
    some.flatMap((one) => [one, ...inside(one.panels ?? [])])
  const queries = new Map<string, string>()
  const add = (title: string, query: string) => queries.set(title, `${queries.get(title) ?? ''}\n${query}`)
  for (const { title, targets } of inside(panels))
    for (const { expr } of targets) if (expr !== undefined) add(title, expr)
  for (const { name, type, query } of list) if (type === 'query') add(`$${name}`, query)
  return queries
}

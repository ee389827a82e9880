// Setups of Grafana that are broken, what doctor finds in each, and its advice as a pattern.

import type { Chain } from './doctor.ts'
import type { Case } from './doctor-prometheus.ts'
import { dataSourceOf, type Grafana } from './grafana.ts'

/** Breaks a healthy Grafana. */
const changed = (written: Omit<Case, 'break' | 'repair'>, edit: (grafana: Grafana, chain: Chain) => unknown): Case => ({
  ...written,
  async break(chain) {
    chain.grafana.repair()
    await edit(chain.grafana, chain)
  },
})

const source = { check: 'grafana/data-source', level: 'failed' } as const
const install = /install the files in dashboards\/ of this version$/

export const grafanaCases: readonly Case[] = [
  changed(
    {
      ...source,
      what: 'no data source',
      found: /^Grafana has no data source for Prometheus$/,
      fix: /add one with the address of Prometheus$/,
    },
    (grafana) => (grafana.dataSources = []),
  ),
  changed(
    {
      ...source,
      what: 'the URL of the data source is wrong',
      found: /^the data source Prometheus fails: .*HTTP 502/,
      fix: /correct the URL and the password of the data source Prometheus$/,
    },
    (grafana) => (grafana.dataSources[0]!.jsonData.directUrl = 'http://127.0.0.1:1'),
  ),
  changed(
    {
      ...source,
      what: 'the URL of the data source is that of Alertmanager',
      found: /^the data source Prometheus fails: .*HTTP 404: is the URL of the data source Prometheus right\?$/,
      fix: /correct the URL and the password of the data source Prometheus$/,
    },
    (grafana, { alertmanager }) => (grafana.dataSources[0]!.jsonData.directUrl = alertmanager.url),
  ),
  changed(
    {
      ...source,
      what: 'the default data source is another Prometheus',
      found: /^the data source other has no series of stakewatch$/,
      fix: /make (\w+) the default data source: it has them$/,
    },
    (grafana, { empty }) => {
      grafana.dataSources[0]!.isDefault = false
      grafana.dataSources.push({ ...dataSourceOf('other', empty.url), isDefault: true })
    },
  ),
  changed(
    {
      what: 'the data source assumes more scrapes than there are',
      check: 'grafana/interval',
      level: 'warning',
      found: /^the data source Prometheus assumes a scrape every 500ms, and there is one every 1s$/,
      fix: /set the scrape interval of the data source Prometheus \(timeInterval\) to (\w+)$/,
    },
    (grafana) => (grafana.dataSources[0]!.jsonData.timeInterval = '500ms'),
  ),
  changed(
    {
      what: 'a dashboard is missing',
      check: 'grafana/dashboards',
      level: 'failed',
      found: /^not installed: stakewatch-wallets$/,
      fix: install,
    },
    (grafana) => grafana.dashboards.delete('stakewatch-wallets'),
  ),
  changed(
    {
      what: 'a dashboard is of another version',
      check: 'grafana/dashboards',
      level: 'warning',
      found: /^stakewatch-wallets is not of this version: .* differs$/,
      fix: install,
    },
    (grafana) => {
      const panel = grafana.dashboards.get('stakewatch-wallets')!.panels.find(({ targets }) => targets)!
      panel.targets![0]!.expr = 'stakewatch_wallet_balance'
    },
  ),
  changed(
    {
      what: 'a dashboard keeps a data source that is gone',
      check: 'grafana/variables',
      level: 'failed',
      found: /^stakewatch-fleet uses the data source P1809F7CD0C75ACF3, which is gone$/,
      fix: /choose the data source in stakewatch-fleet and save it, or install the files/,
    },
    (grafana) => {
      const [variable] = grafana.dashboards.get('stakewatch-fleet')!.templating.list
      variable!.current = { text: 'Prometheus', value: 'P1809F7CD0C75ACF3' }
    },
  ),
  changed(
    {
      what: 'a variable asks for a label that series do not have',
      check: 'grafana/variables',
      level: 'failed',
      found: /^the variable network of stakewatch-self has no value$/,
      fix: /install the files|let Prometheus scrape stakewatch, and keep its labels/,
    },
    (grafana) => {
      const variable = grafana.dashboards
        .get('stakewatch-self')!
        .templating.list.find(({ name }) => name === 'network')!
      variable.query = 'label_values({__name__=~"stakewatch_networks"}, network)'
    },
  ),
  changed(
    {
      what: 'alerts link to another Grafana',
      check: 'grafana/links',
      level: 'warning',
      found: /^alerts link to http:\/\/localhost:3000\/, and Grafana is at https:\/\/grafana\.internal\/$/,
      fix: /print the rules with stakewatch alerts --dashboard-base=(\S+), or set root_url of Grafana$/,
    },
    (grafana) => (grafana.root.url = 'https://grafana.internal/'),
  ),
]

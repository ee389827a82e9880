// The links of an alert: its runbook, and the panel with the metrics of the rule, filtered by the labels of the alert.

import { type Page, panelId, variables, type Rule } from './rule.ts'

export const RUNBOOKS = 'https://stakewatch.example/runbooks/'
/** The default address of Grafana, also in deploy/compose. */
export const DASHBOARDS = 'http://localhost:3000/'

/** The uid of each dashboard is `stakewatch-` and its page. */
export const pages = Object.keys(variables) as Page[]

/** A Prometheus template. A missing label sets no variable: an empty variable would match nothing. */
export function dashboardLink(base: string, shown: Rule['panel']): string {
  const [page, panel] = shown.split(': ') as [Page, string]
  const parameters = variables[page].map(
    (label) => `{{ with $labels.${label} }}&var-${label}={{ . | urlquery }}{{ end }}`,
  )
  return `${base}d/stakewatch-${page}?viewPanel=${panelId(panel)}${parameters.join('')}`
}

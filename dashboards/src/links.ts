// Links from a panel to the panel or dashboard that names the object.

import type { DashboardLink } from '@grafana/grafana-foundation-sdk/dashboard'
import { panelId } from '../../src/alerts/rule.ts'
import type { Variable } from './select.ts'

export const uids = {
  fleet: 'stakewatch-fleet',
  validator: 'stakewatch-validator',
  l1s: 'stakewatch-l1s',
  chains: 'stakewatch-chains',
  wallets: 'stakewatch-wallets',
  messages: 'stakewatch-messages',
  self: 'stakewatch-self',
} as const

export type Page = keyof typeof uids
export const pages = Object.keys(uids) as Page[]

/** A data link without time and variables, which are added per dashboard. */
export type DataLink = Required<Pick<DashboardLink, 'title' | 'url' | 'targetBlank'>>

/** Links to a panel by title, or to a dashboard; `those` are variables that the clicked series sets, with their labels. */
export function toPanel(page: Page, panel: string, ...those: readonly Variable[]): DataLink {
  return link(panel, page, [
    `viewPanel=${panelId(panel)}`,
    ...those.map((one) => `var-${one}=\${__field.labels.${one}}`),
  ])
}

export function toPage(page: Page, title: string, ...those: readonly Variable[]): DataLink {
  return link(
    title,
    page,
    those.map((one) => `var-${one}=\${__field.labels.${one}}`),
  )
}

/** The full label of a row, as the table may show it shortened. */
export const ofRow = (label: string) => `\${__data.fields["on_${label}"]}`

/** Links from a cell that names an object; `others` are the labels of its row that narrow the dashboard. */
export function fromCell(page: Page, title: string, name: Variable, ...others: readonly Variable[]): DataLink {
  return link(title, page, [`var-${name}=\${__value.raw}`, ...others.map((one) => `var-${one}=${ofRow(one)}`)])
}

function link(title: string, page: Page, parameters: readonly string[]): DataLink {
  return { title, url: `/d/${uids[page]}?${parameters.join('&')}`, targetBlank: false }
}

/** Adds the time and every variable of the dashboard that the link does not set itself. */
export function kept<L extends DataLink>(one: L, variables: readonly string[]): L {
  if (!one.url.startsWith('/d/')) return one
  const others = ['datasource', ...variables].filter((name) => !one.url.includes(`var-${name}=`))
  const parameters = ['${__url_time_range}', ...others.map((name) => `\${${name}:queryparam}`)]
  return { ...one, url: `${one.url}&${parameters.join('&')}`.replace('?&', '?') }
}

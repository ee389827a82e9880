// Links from what a panel shows to the panel or the dashboard that names the object.

import type { DashboardLink } from '@grafana/grafana-foundation-sdk/dashboard'
import { idOf } from './ids.ts'
import type { Variable } from './select.ts'

/** Names of the dashboards in their addresses. */
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

/** A data link: the time and the variables are added where it is known which ones the dashboard has. */
export type DataLink = Required<Pick<DashboardLink, 'title' | 'url' | 'targetBlank'>>

/** To a panel by its title, or to a dashboard; `those` are variables that the clicked series sets, with their labels. */
export function toPanel(page: Page, panel: string, ...those: readonly Variable[]): DataLink {
  return link(panel, page, [`viewPanel=${idOf(panel)}`, ...those.map((one) => `var-${one}=\${__field.labels.${one}}`)])
}

export function toPage(page: Page, title: string, ...those: readonly Variable[]): DataLink {
  return link(
    title,
    page,
    those.map((one) => `var-${one}=\${__field.labels.${one}}`),
  )
}

/** What the label of a row is, whole: what a table shows may be shortened. */
export const ofRow = (label: string) => `\${__data.fields["on_${label}"]}`

/** From a cell of a table that names an object; `others` are the labels of its row that the dashboard narrows by. */
export function fromCell(page: Page, title: string, name: Variable, ...others: readonly Variable[]): DataLink {
  return link(title, page, [`var-${name}=\${__value.raw}`, ...others.map((one) => `var-${one}=${ofRow(one)}`)])
}

function link(title: string, page: Page, parameters: readonly string[]): DataLink {
  return { title, url: `/d/${uids[page]}?${parameters.join('&')}`, targetBlank: false }
}

/** With the time and every variable of the dashboard that the link does not set itself. */
export function kept<L extends DataLink>(one: L, variables: readonly string[]): L {
  if (!one.url.startsWith('/d/')) return one
  const others = ['datasource', ...variables].filter((name) => !one.url.includes(`var-${name}=`))
  const parameters = ['${__url_time_range}', ...others.map((name) => `\${${name}:queryparam}`)]
  return { ...one, url: `${one.url}&${parameters.join('&')}`.replace('?&', '?') }
}

// The table of firing alerts, with runbooks and links to the page of the object.

import { RUNBOOKS } from '../../src/alerts/links.ts'
import { firing, SUBJECTS } from './dashboard.ts'
import { ofRow, type Page, uids } from './links.ts'
import type { Variable } from './select.ts'
import { NETWORK_KEY, table } from './table.ts'
import { SECONDS } from './units.ts'

/** Base URL of the runbooks, which can be set on the dashboard. */
export const texts = { runbooks: RUNBOOKS }

/** Labels that narrow a page. */
const NARROWING: readonly Variable[] = ['network', 'subnet', 'validator', 'chain', 'source', 'address']
/** The page for an alert by its labels; the last match wins. */
const pages: readonly (readonly [label: string, page: Page])[] = [
  ['source', 'chains'],
  ['subnet', 'l1s'],
  ['chain', 'chains'],
  ['address', 'wallets'],
  ['route', 'messages'],
  ['probe', 'messages'],
  ['validator', 'validator'],
  ['collector', 'self'],
]

const began = `max by (alertname, severity, network, ${SUBJECTS.join(', ')}) (ALERTS_FOR_STATE{alertname=~"Stakewatch.+"} and ignoring (alertstate) ${firing('severity=~"critical|warning|info"')})`
/** Seconds since each alert began, with labels for the columns and links of its row. */
const alerts = [
  // As numbers, so that they sort by severity.
  ...['critical', 'warning', 'info'].map((name, at) => ['severity', `${at + 1}`, 'severity', name] as const),
  ['page', uids.self, '', ''] as const,
  ...pages.map(([label, page]) => ['page', uids[page], label, '.+'] as const),
  // A label that the alert lacks does not narrow the page.
  ...NARROWING.map((label) => [label, 'All', label, ''] as const),
].reduce(
  (expr, [to, value, from, pattern]) => `label_replace(${expr}, "${to}", "${value}", "${from}", "${pattern}")`,
  `label_join(time() - ${began}, "what", " ", ${SUBJECTS.map((one) => `"${one}"`).join(', ')})`,
)

export const firingNow = table({
  text: {
    title: 'What fires now',
    description:
      "Firing stakewatch alerts, critical ones first, then the newest. The name links to the runbook, the object to its page. Empty: no alert fires, or Prometheus does not evaluate stakewatch's rules.",
  },
  height: 8,
  keys: [
    {
      label: 'severity',
      title: 'Severity',
      states: { 1: ['critical', 'red'], 2: ['warning', 'orange'], 3: ['info', 'purple'] },
    },
    {
      label: 'alertname',
      title: 'Alert',
      letters: 34,
      links: [{ title: 'Runbook', url: '${runbooks:raw}${__value.raw}.md', targetBlank: true }],
    },
    {
      label: 'what',
      title: 'About',
      letters: 40,
      links: [
        {
          title: 'Where it is shown',
          url: `/d/${ofRow('page')}?${NARROWING.map((one) => `var-${one}=${ofRow(one)}`).join('&')}`,
          targetBlank: false,
        },
      ],
    },
    NETWORK_KEY,
  ],
  hidden: ['page', ...SUBJECTS],
  rows: alerts,
  columns: [{ title: 'Since', expr: alerts, unit: SECONDS }],
  sortBy: ['Severity', 'Since'],
})

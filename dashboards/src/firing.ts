// What fires now, with its runbook and the page of the thing that it is about.

import { RUNBOOKS } from '../../src/alerts/links.ts'
import { firing } from './dashboard.ts'
import { type Page, uids } from './links.ts'
import type { Variable } from './select.ts'
import { table } from './table.ts'
import { SECONDS } from './units.ts'

/** Where they are published: to be set on the dashboard. */
export const texts = { runbooks: RUNBOOKS }

/** Labels that name what an alert is about. */
const NAMES = ['subnet', 'validator', 'chain', 'source', 'address', 'route', 'probe', 'collector', 'target']
/** Those that a page can be narrowed by. */
const NARROWING: readonly Variable[] = ['network', 'subnet', 'validator', 'chain', 'source', 'address']
/** Which page shows it: what its label says, the last one counts. */
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

const began = `max by (alertname, severity, network, ${NAMES.join(', ')}) (ALERTS_FOR_STATE{alertname=~"Stakewatch.+"} and ignoring (alertstate) ${firing()})`
/** Seconds since each began, with labels for the columns and the links of its row. */
const alerts = [
  // As numbers, so that they sort by what matters more.
  ...['critical', 'warning', 'info'].map((name, at) => ['severity', `${at + 1}`, 'severity', name] as const),
  ['page', uids.self, '', ''] as const,
  ...pages.map(([label, page]) => ['page', uids[page], label, '.+'] as const),
  // A page is not narrowed by what the alert does not name.
  ...NARROWING.map((label) => [label, 'All', label, ''] as const),
].reduce(
  (expr, [to, value, from, pattern]) => `label_replace(${expr}, "${to}", "${value}", "${from}", "${pattern}")`,
  `label_join(time() - ${began}, "what", " ", ${NAMES.map((one) => `"${one}"`).join(', ')})`,
)

const field = (name: string) => `\${__data.fields["${name}"]}`

export const firingNow = table({
  text: {
    title: 'What fires now',
    description:
      'Alerts of stakewatch that fire, critical ones first, then the newest. A click on the name opens the runbook, a click on the thing opens the page that shows it. Empty: nothing fires, or Prometheus does not evaluate the rules of stakewatch.',
  },
  height: 8,
  keys: [
    {
      label: 'severity',
      title: 'Severity',
      states: { 1: ['critical', 'red'], 2: ['warning', 'orange'], 3: ['info', 'blue'] },
    },
    {
      label: 'alertname',
      title: 'Alert',
      links: [{ title: 'Runbook', url: `\${runbooks:raw}${field('Alert')}.md`, targetBlank: true }],
    },
    {
      label: 'what',
      title: 'About',
      links: [
        {
          title: 'Where it is shown',
          url: `/d/${field('page')}?${NARROWING.map((one) => `var-${one}=${field(one === 'network' ? 'Network' : one)}`).join('&')}`,
          targetBlank: false,
        },
      ],
    },
    { label: 'network', title: 'Network' },
  ],
  carried: ['page', ...NARROWING.slice(1)],
  hidden: NAMES.filter((label) => !NARROWING.slice(1).some((one) => one === label)),
  rows: alerts,
  columns: [{ title: 'Since', expr: alerts, unit: SECONDS }],
  sortBy: ['Severity', 'Since'],
})

// The table of firing alerts, with runbooks and links to the page of the object.

import { RUNBOOKS } from '../../src/alerts/links.ts'
import { firing, SUBJECTS } from './dashboard.ts'
import { ofRow, type Page, uids } from './links.ts'
import type { Variable } from './select.ts'
import { NETWORK_KEY, table } from './table.ts'
import { COUNT, SECONDS } from './units.ts'

/** Base URL of the runbooks, which can be set once in the file. */
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

/** An outage of one thing fires the same alert for each of its validators. */
const CAUSE = 'alertname, severity, network, subnet'
const began = `max by (alertname, severity, network, node_id, ${SUBJECTS.join(', ')}) (ALERTS_FOR_STATE{alertname=~"Stakewatch.+"} and ignoring (alertstate) ${firing('severity=~"critical|warning|info"')})`
const count = `count by (${CAUSE}) (${began})`
type Replacement = readonly [to: string, value: string, from: string, pattern: string]
const labelled = (expr: string, replacements: readonly Replacement[]) =>
  replacements.reduce((inner, one) => `label_replace(${inner}, ${one.map((text) => `"${text}"`).join(', ')})`, expr)

/** Without the labels that differ within a cause, a row about several objects has their page, but narrows it no further. */
const about = labelled(`bottomk by (${CAUSE}) (1, ${began})`, [
  ['page', uids.self, '', ''],
  ...pages.map(([label, page]) => ['page', uids[page], label, '.+'] as const),
])
const joined = `label_join(${about} and on (${CAUSE}) ${count} == 1, "what", " ", ${SUBJECTS.map((one) => `"${one}"`).join(', ')})`
const ofOne = labelled(joined, [['what', '$1', 'what', '(.*[^ ]) +']])
const ofSeveral = labelled(`${about} and on (${CAUSE}) ${count} > 1`, [
  ['what', 'several', '', ''],
  ['what', 'several of $1', 'subnet', '(.+)'],
  ...NARROWING.filter((label) => !CAUSE.includes(label)).map((label) => [label, '', '', ''] as const),
])

/** With labels for the columns and links of each row. */
const rowsOf = (expr: string) =>
  labelled(expr, [
    // As numbers, so that they sort by severity.
    ...['critical', 'warning', 'info'].map((name, at) => ['severity', `${at + 1}`, 'severity', name] as const),
    // A label that the row lacks does not narrow the page.
    ...NARROWING.map((label) => [label, 'All', label, ''] as const),
  ])
const causes = `(${ofOne} or ${ofSeveral})`
const since = rowsOf(`time() - ${causes}`)
const objects = rowsOf(`${causes} * 0 + on (${CAUSE}) group_left () ${count}`)

export const firingNow = table({
  text: {
    title: 'What fires now',
    description:
      "What to do first: one row for each cause, critical ones first, then the newest, with the number of objects. The name links to the runbook, the object to its page. An alert stays for ten minutes after its end. Empty: no alert fires, or Prometheus does not evaluate stakewatch's rules.",
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
      letters: 28,
      prefix: 'Stakewatch',
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
  hidden: ['page', 'node_id', ...SUBJECTS],
  rows: since,
  columns: [
    { title: 'Objects', expr: objects, unit: COUNT },
    { title: 'Since', expr: since, unit: SECONDS },
  ],
  sortBy: ['Severity', 'Since'],
})

// The table of firing alerts, with runbooks and links to the page of the object.

import { RUNBOOKS } from '../../src/alerts/links.ts'
import { firing, SUBJECTS } from './dashboard.ts'
import { ofRow, type Page, uids } from './links.ts'
import type { PanelBuilder as TableBuilder } from '@grafana/grafana-foundation-sdk/table'
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
/** The object comes first, then where it is. */
const NAMED = [
  'validator',
  'address',
  'route',
  'probe',
  'source',
  'chain',
  'subnet',
  'collector',
  'target',
  'shard',
  'instance',
] as const
/** Alerts about stakewatch itself have the label of an instance or a shard. */
const OBJECT = ['node_id', ...SUBJECTS, 'shard_ordinal', 'instance'] as const
type Replacement = readonly [to: string, value: string, from: string, pattern: string]
const labelled = (expr: string, replacements: readonly Replacement[]) =>
  replacements.reduce((inner, one) => `label_replace(${inner}, ${one.map((text) => `"${text}"`).join(', ')})`, expr)

/** One row for each cause: when the first of its alerts began, with labels for the columns and links. */
function causesOf(began: string): { causes: string; count: string } {
  const count = `count by (${CAUSE}) (${began})`
  /** Without the labels that differ within a cause, a row about several objects has their page, but narrows it no further. */
  const about = labelled(`bottomk by (${CAUSE}) (1, ${began})`, [
    ['shard', 'shard $1', 'shard_ordinal', '(.+)'],
    ['page', uids.self, '', ''],
    ...pages.map(([label, page]) => ['page', uids[page], label, '.+'] as const),
  ])
  const joined = `label_join(${about} and on (${CAUSE}) ${count} == 1, "what", " ", ${NAMED.map((one) => `"${one}"`).join(', ')})`
  const ofOne = labelled(joined, [
    ['what', '$1', 'what', ' *(.*[^ ]) *'],
    ['what', '$1 $2', 'what', '([^ ]+) +(.+)'],
  ])
  const ofSeveral = labelled(`${about} and on (${CAUSE}) ${count} > 1`, [
    ['what', 'several', '', ''],
    ['what', 'several of $1', 'subnet', '(.+)'],
    ...NARROWING.filter((label) => !CAUSE.includes(label)).map((label) => [label, '', '', ''] as const),
  ])
  return { causes: `(${ofOne} or ${ofSeveral})`, count }
}

const SEVERITIES = ['critical', 'warning', 'info']
const QUIET = SEVERITIES.length + 1

/** `L1 Balance Running Out`, which may take two lines: one for each of its words but one. */
const WORDS = 6
const asWords: readonly Replacement[] = [
  ['alert', '$1', 'alertname', 'Stakewatch(.+)'],
  ...Array.from({ length: WORDS - 1 }, () => ['alert', '$1 $2', 'alert', '(.*[a-z0-9])([A-Z].*)'] as const),
]

/** With labels for the columns and links of each row. */
const rowsOf = (expr: string) =>
  labelled(expr, [
    // As numbers, so that they sort by severity.
    ...SEVERITIES.map((name, at) => ['severity', `${at + 1}`, 'severity', name] as const),
    // A label that the row lacks does not narrow the page.
    ...NARROWING.map((label) => [label, 'All', label, ''] as const),
    ...asWords,
  ])

interface Firing {
  title: string
  /** What the alerts are about. */
  about: string
  height: number
  /** Matchers of the alerts, which fit one of these lists. */
  of: readonly (readonly string[])[]
}

/** Letters of a word. */
const ON_TELEPHONE = 14

/** What pages, with runbooks and links to the page of the object. An empty table would not tell quiet from broken. */
export function firingTable({ title, about, height, of }: Firing): TableBuilder {
  const severities = `severity=~"${SEVERITIES.join('|')}"`
  const some = of.map((matchers) => firing(severities, ...matchers)).join(' or ')
  const began = `max by (alertname, severity, network, ${OBJECT.join(', ')}) (ALERTS_FOR_STATE{alertname=~"Stakewatch.+"} and ignoring (alertstate) (${some}))`
  const { causes, count } = causesOf(began)
  const works = `max by (alertname) (ALERTS{alertname="StakewatchWatchdog", alertstate="firing"})`
  /** The rules are evaluated, and none of them fires. */
  const quiet = labelled(`${works} unless on () ${began}`, [
    ['severity', `${QUIET}`, '', ''],
    ['what', 'nothing fires', '', ''],
    ['page', uids.fleet, '', ''],
    ...NARROWING.map((label) => [label, 'All', '', ''] as const),
    ...asWords,
  ])
  const since = `${rowsOf(`time() - ${causes}`)} or ${quiet} * 0 + Inf`
  const objects = `${rowsOf(`${causes} * 0 + on (${CAUSE}) group_left () ${count}`)} or ${quiet} * 0`
  return table({
    text: {
      title,
      description: `What to do first about ${about}: one row for each cause, critical ones first, then the newest, with the number of objects. The object links to its page, the name to the runbook. An alert stays for ten minutes after its end. No data: Prometheus does not evaluate the rules of stakewatch, so nothing can fire.`,
    },
    height,
    keys: [
      {
        label: 'severity',
        title: 'Severity',
        isFilterable: false,
        states: { 1: ['critical', 'red'], 2: ['warning', 'orange'], 3: ['info', 'purple'], [QUIET]: ['fine', 'green'] },
      },
      {
        label: 'what',
        title: 'About',
        letters: 40,
        least: ON_TELEPHONE,
        links: [
          {
            title: 'Where it is shown',
            url: `/d/${ofRow('page')}?${NARROWING.map((one) => `var-${one}=${ofRow(one)}`).join('&')}`,
            targetBlank: false,
          },
        ],
      },
      {
        label: 'alert',
        title: 'Alert',
        letters: 40,
        least: ON_TELEPHONE - 1,
        links: [{ title: 'Runbook', url: `\${runbooks:raw}${ofRow('alertname')}.md`, targetBlank: true }],
      },
      NETWORK_KEY,
    ],
    hidden: ['alertname', 'page', 'shard', ...OBJECT],
    rows: since,
    columns: [
      { title: 'Since', expr: since, unit: SECONDS },
      { title: 'Objects', expr: objects, unit: COUNT },
    ],
    sortBy: ['Severity', 'Since'],
    first: ['Severity', 'About', 'Alert', 'Since', 'Objects'],
    none: 'Prometheus does not evaluate the rules of stakewatch',
  })
}

export const firingNow = firingTable({ title: 'What fires now', about: 'all that is watched', height: 8, of: [[]] })

// The messages of Alertmanager about alerts, worked out by hand from alertmanager.example.yml: pages wait for 30 s, are looked at
// every two minutes and come again after two hours; warnings are looked at every five minutes and come again after a day.

import { expect, test } from 'vitest'
import { messagesAbout, type Sent } from '../../../src/commands/backtest/report.ts'
import { rowsOf } from '../../support/rows.ts'
import { exampleConfig } from './example.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE

/** `NodeDown/warning 0-10 source=a`: starts and ends in minutes, and what it is about. */
function alertsOf(text: string): Sent[] {
  return text.split(', ').map((one) => {
    const [what = '', times = '', about = ''] = one.split(' ')
    const [name, severity = ''] = what.split('/')
    const [start = 0, end = 0] = times.split('-').map(Number)
    const labels = { alertname: `Stakewatch${name}`, job: 'stakewatch', network: 'fuji', severity }
    const [label = '', value = ''] = about.split('=')
    const own = { ...(label === 'node_id' && { subnet: 'primary' }), ...(about !== '' && { [label]: value }) }
    return { labels: { ...labels, ...own }, start: start * MINUTE, end: end * MINUTE }
  })
}

/** The times of messages in seconds; those that open a group have an exclamation mark. */
const said = (all: readonly Sent[], until = 24 * HOUR) =>
  messagesAbout(all, until, exampleConfig)
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, alert: name, opens }) => `${name.replace('Stakewatch', '')} ${at}${opens ? '!' : ''}`)

test.each(
  rowsOf(`
    // Both are looked at every two minutes: 30 + 5 × 120 = 630 is the first look after 600.
    a page begins and ends                        | Down/critical 0-10     | Down 30!, Down 630
    what is over before the group_wait is unsaid  | WalletLow/critical 0-0.4 |
    // The first look that is two hours or more after 30 is at 30 + 7,200; then 14,430; the end at 15,030.
    a page comes again after two hours            | Down/critical 0-250    | Down 30!, Down 7230, Down 14430, Down 15030
    what fires again after its end opens again | Down/critical 0-3, Down/critical 10-13 | Down 30!, Down 270, Down 630!, Down 870
    what is on the dashboard only                 | L1BalanceLow/info 0-60 |
  `),
)('%s', (_, all, expected = '') => {
  expect(said(alertsOf(all)).join(', ')).toBe(expected)
})

test.each<[what: string, all: string, expected: readonly string[]]>([
  [
    'each validator is a page',
    'ValidatorGone/critical 0-3 node_id=a, ValidatorGone/critical 0-3 node_id=b',
    ['ValidatorGone 30!', 'ValidatorGone 30!', 'ValidatorGone 270', 'ValidatorGone 270'],
  ],
  [
    'an upgrade is one page for all validators, which grows',
    'UpgradeNear/critical 0-9 node_id=a, UpgradeNear/critical 1-9 node_id=b',
    ['UpgradeNear 30!', 'UpgradeNear 150', 'UpgradeNear 630'],
  ],
  [
    'warnings with one cause are one message, which names what joins and leaves',
    'UpstreamDown/warning 0-20 source=a, UpstreamDown/warning 1-8 source=b',
    // 30; at 330 node-b has joined; at 630 it has left; at 1,230 all is over.
    ['UpstreamDown 30!', 'UpstreamDown 330', 'UpstreamDown 630', 'UpstreamDown 1230'],
  ],
  [
    'what fires again before the next look has not ended',
    'UpstreamDown/warning 0-2 source=a, UpstreamDown/warning 4-8 source=a',
    ['UpstreamDown 30!', 'UpstreamDown 630'],
  ],
  [
    'a dead node holds back the warnings about itself, not those of others, and no page',
    'UpstreamDown/warning 0-100 source=a, NodeBehind/warning 1-90 source=a, NodeBehind/warning 1-90 source=b, NodeForked/critical 1-4 source=a',
    // 90 + 18 × 300 = 5,490; 30 + 20 × 300 = 6,030.
    ['UpstreamDown 30!', 'NodeBehind 90!', 'NodeForked 90!', 'NodeForked 330', 'NodeBehind 5490', 'UpstreamDown 6030'],
  ],
  [
    'what is held back is said when the reason is over',
    'Down/critical 0-12, NodeBehind/warning 0-40 source=a',
    // 30 + 3 × 300 = 930 is the first look at warnings after 720; 30 + 8 × 300 = 2,430.
    ['Down 30!', 'Down 750', 'NodeBehind 930!', 'NodeBehind 2430'],
  ],
])('%s', (_, all, expected) => {
  expect(said(alertsOf(all))).toEqual(expected)
})

test('what comes after the end of the window is not counted', () => {
  expect(said(alertsOf('Down/critical 0-500'), 2 * HOUR)).toEqual(['Down 30!'])
})

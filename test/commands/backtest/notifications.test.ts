// The messages of Alertmanager about alerts, worked out by hand from alertmanager.example.yml: pages wait for 30 s, are looked at
// every two minutes and come again after two hours; warnings are looked at every five minutes and come again after a day.

import { expect, test } from 'vitest'
import { messagesAbout, type Sent } from '../../../src/commands/backtest/report.ts'
import { exampleConfig } from './example.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE

/** Starts and ends in minutes. */
const alert = (
  name: string,
  severity: string,
  [start, end]: readonly [start: number, end: number],
  labels: Readonly<Record<string, string>> = {},
): Sent => ({
  labels: { alertname: `Stakewatch${name}`, job: 'stakewatch', network: 'fuji', severity, ...labels },
  start: start * MINUTE,
  end: end * MINUTE,
})
const validator = (id: string) => ({ subnet: 'primary', node_id: id })
const node = (source: string) => ({ source })

/** The times of messages in seconds; those that open a group have an exclamation mark. */
const said = (all: readonly Sent[], until = 24 * HOUR) =>
  messagesAbout(all, until, exampleConfig)
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, alert: name, opens }) => `${name.replace('Stakewatch', '')} ${at}${opens ? '!' : ''}`)

test.each<[what: string, all: readonly Sent[], expected: readonly string[], until?: number]>([
  [
    'a page begins and ends: both are looked at every two minutes',
    [alert('Down', 'critical', [0, 10])],
    // 30 + 5 × 120 = 630 is the first look after 600.
    ['Down 30!', 'Down 630'],
  ],
  ['what is over before the group_wait is not said', [alert('WalletLow', 'critical', [0, 0.4])], []],
  [
    'a page comes again after two hours',
    [alert('Down', 'critical', [0, 250])],
    // The first look that is two hours or more after 30 is at 30 + 7,200; then 14,430; the end at 15,030.
    ['Down 30!', 'Down 7230', 'Down 14430', 'Down 15030'],
  ],
  [
    'each validator is a page',
    [
      alert('ValidatorGone', 'critical', [0, 3], validator('a')),
      alert('ValidatorGone', 'critical', [0, 3], validator('b')),
    ],
    ['ValidatorGone 30!', 'ValidatorGone 30!', 'ValidatorGone 270', 'ValidatorGone 270'],
  ],
  [
    'an upgrade is one page for all validators, which grows',
    [
      alert('UpgradeNear', 'critical', [0, 9], validator('a')),
      alert('UpgradeNear', 'critical', [1, 9], validator('b')),
    ],
    ['UpgradeNear 30!', 'UpgradeNear 150', 'UpgradeNear 630'],
  ],
  [
    'warnings with one cause are one message, which names what joins and leaves',
    [alert('UpstreamDown', 'warning', [0, 20], node('a')), alert('UpstreamDown', 'warning', [1, 8], node('b'))],
    // 30; at 330 node-b has joined; at 630 it has left; at 1,230 all is over.
    ['UpstreamDown 30!', 'UpstreamDown 330', 'UpstreamDown 630', 'UpstreamDown 1230'],
  ],
  [
    'what fires again after its end opens again',
    [alert('Down', 'critical', [0, 3]), alert('Down', 'critical', [10, 13])],
    ['Down 30!', 'Down 270', 'Down 630!', 'Down 870'],
  ],
  [
    'what fires again before the next look has not ended',
    [alert('UpstreamDown', 'warning', [0, 2], node('a')), alert('UpstreamDown', 'warning', [4, 8], node('a'))],
    ['UpstreamDown 30!', 'UpstreamDown 630'],
  ],
  ['what is on the dashboard only', [alert('L1BalanceLow', 'info', [0, 60])], []],
  [
    'a dead node holds back the warnings about itself, not those of others, and no page',
    [
      alert('UpstreamDown', 'warning', [0, 100], node('a')),
      alert('NodeBehind', 'warning', [1, 90], node('a')),
      alert('NodeBehind', 'warning', [1, 90], node('b')),
      alert('NodeForked', 'critical', [1, 4], node('a')),
    ],
    [
      'UpstreamDown 30!',
      'NodeBehind 90!',
      'NodeForked 90!',
      'NodeForked 330',
      // 90 + 18 × 300 = 5,490.
      'NodeBehind 5490',
      // 30 + 20 × 300 = 6,030.
      'UpstreamDown 6030',
    ],
  ],
  [
    'what is held back is said when the reason is over',
    [alert('Down', 'critical', [0, 12]), alert('NodeBehind', 'warning', [0, 40], node('a'))],
    // 30 + 3 × 300 = 930 is the first look at warnings after 720; 30 + 8 × 300 = 2,430.
    ['Down 30!', 'Down 750', 'NodeBehind 930!', 'NodeBehind 2430'],
  ],
  [
    'what comes after the end of the window is not counted',
    [alert('Down', 'critical', [0, 500])],
    ['Down 30!'],
    2 * HOUR,
  ],
])('%s', (_, all, expected, until) => {
  expect(said(all, until)).toEqual(expected)
})

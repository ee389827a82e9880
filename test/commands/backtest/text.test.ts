// What backtest prints of what it found.

import { expect, test } from 'vitest'
import { JOB } from '../../../src/alerts/groups.ts'
import { thresholds } from '../../../src/alerts/thresholds.ts'
import type { Episode } from '../../../src/commands/backtest/read-history.ts'
import { judgedRules } from '../../../src/commands/backtest/replay.ts'
import { jsonOf, type Report, summaryOf } from '../../../src/commands/backtest/report.ts'
import { textOf } from '../../../src/commands/backtest/text.ts'
import { exampleConfig } from './example.ts'

/** 2026-11-20 00:00 UTC in minutes, and a day from then on. */
const MIDNIGHT = Date.UTC(2026, 10, 20) / 60_000
const window = { from: MIDNIGHT, to: MIDNIGHT + 24 * 60 - 1 }
const rules = judgedRules(JOB, thresholds)

/** The minutes of the day at which it first and last fired. */
const fired = (alert: string, severity: string, from: number, to: number, labels = {}): Episode => ({
  labels: { alertname: `Stakewatch${alert}`, severity, job: 'stakewatch', ...labels },
  from: MIDNIGHT + from,
  to: MIDNIGHT + to,
})

const WALLET = { address: 'vault' }
const shipped = [
  fired('WalletLow', 'critical', -30, 29, WALLET),
  fired('WalletLow', 'critical', 600, 659, WALLET),
  fired('UpstreamDown', 'warning', 1_380, 1_439, { source: 'node-a' }),
]

function reportOf(changes: Partial<Report> = {}, did: readonly Episode[] = []): Report {
  return {
    step: 60,
    window,
    job: JOB,
    limits: {},
    rules,
    shipped: summaryOf(shipped, window, 60, exampleConfig),
    other: undefined,
    did: summaryOf(did, window, 60, exampleConfig),
    gaps: [],
    unloaded: [],
    problems: new Map(),
    ...changes,
  }
}

const linesOf = (text: string) => text.trimEnd().split('\n')
const rowsOf = (text: string) => linesOf(text).map((line) => line.trim().split(/ {2,}/))

test('a row for each alert that fired, those that wake someone first, and the sums', () => {
  const did = [fired('UpstreamDown', 'warning', 1_381, 1_439, { source: 'node-a' }), fired('Mine', 'warning', 5, 9)]
  expect(rowsOf(textOf(reportOf({}, did), undefined))).toEqual([
    ['2026-11-20 00:00 to 2026-11-21 00:00 UTC (24.0 hours), evaluated every 1m'],
    [''],
    ['with the shipped limits', 'did fire'],
    ['alert', 'severity', 'times', 'total', 'longest', 'pages', 'messages', 'times', 'total'],
    // The first one paged on the day before. Its end, and the beginning and the end of the second one, are messages.
    ['StakewatchWalletLow', 'critical', '2', '1h30m', '1h', '1', '3', '-', '-'],
    ['StakewatchUpstreamDown', 'warning', '1', '1h', '1h', '0', '1', '1', '59m'],
    ['StakewatchMine', 'warning', '-', '-', '-', '-', '-', '1', '5m'],
    ['all', '3', '2h30m', '1h', '1', '4', '2', '1h4m'],
    [''],
    [`${rules.length - 2} other alerts would not have fired, and did not.`],
  ])
})

test('the other limits next to them, and where they change nothing', () => {
  const other = summaryOf([shipped[2]!], window, 60, exampleConfig)
  const rows = rowsOf(textOf(reportOf({ other, limits: { collectorFailing: 1_200 } }), undefined))
  expect(rows[0]).toEqual([expect.stringMatching(/, also with collectorFailing=1200$/)])
  expect(rows[2]).toEqual(['with the shipped limits', 'did fire', 'with the other limits'])
  expect(rows[4]!.slice(-5)).toEqual(['-', '-', '-', '-', '-'])
  expect(rows[5]!.at(-1)).toBe('same')
})

test('where the rules were never loaded it is unknown what did fire', () => {
  const report = reportOf({ unloaded: [window] })
  const text = textOf(report, undefined)
  expect(text).toContain('Prometheus had not loaded the rules for 24.0 hours:')
  expect(
    rowsOf(text)
      .find(([first]) => first === 'StakewatchWalletLow')!
      .slice(-2),
  ).toEqual(['?', '?'])
  expect(text).toMatch(/other alerts would not have fired\.\n$/)
  expect(JSON.parse(jsonOf(report))).toMatchObject({ alerts: [{ did_fire: null }, { did_fire: null }] })
})

test('gaps are in hours, the longest ones one by one', () => {
  const gaps = [
    { from: MIDNIGHT, to: MIDNIGHT + 89 },
    ...[2, 3, 4, 5, 6].map((hour) => ({ from: MIDNIGHT + hour * 60, to: MIDNIGHT + hour * 60 + hour - 1 })),
  ]
  expect(linesOf(textOf(reportOf({ gaps }), undefined)).slice(1, 9)).toEqual([
    // 90 + 2 + 3 + 4 + 5 + 6 minutes.
    'Prometheus has no series of stakewatch for 1.8 hours, 6 times, the longest of them:',
    '  from 2026-11-20 00:00 to 2026-11-20 01:30 (1.5 hours)',
    '  from 2026-11-20 03:00 to 2026-11-20 03:03 (0.1 hours)',
    '  from 2026-11-20 04:00 to 2026-11-20 04:04 (0.1 hours)',
    '  from 2026-11-20 05:00 to 2026-11-20 05:05 (0.1 hours)',
    '  from 2026-11-20 06:00 to 2026-11-20 06:06 (0.1 hours)',
    'Nothing is known of that time.',
    'Before 2026-11-20 01:30 it has none: it keeps less than --since, or stakewatch was not scraped yet.',
  ])
})

test('the episodes of one alert', () => {
  const [, , ...lines] = linesOf(textOf(reportOf({}, [shipped[1]!]), 'StakewatchWalletLow'))
  expect(lines).toEqual([
    'StakewatchWalletLow would have fired:',
    '  before it         2026-11-20 00:30  30m  job="stakewatch" address="vault"',
    '  2026-11-20 10:00  2026-11-20 11:00  1h   job="stakewatch" address="vault"',
    '',
    'StakewatchWalletLow did fire:',
    '  2026-11-20 10:00  2026-11-20 11:00  1h  job="stakewatch" address="vault"',
  ])
  expect(textOf(reportOf(), 'StakewatchUpstreamDown')).toContain(
    'StakewatchUpstreamDown would have fired:\n  2026-11-20 23:00  still fires  1h  job="stakewatch" source="node-a"\n',
  )
})

test('labels from the server cannot write to the terminal', () => {
  const episode = fired('WalletLow', 'critical', 1, 2, { address: '\x1b[2J' })
  const text = textOf(reportOf({}, [episode]), 'StakewatchWalletLow')
  expect(text).toContain('address="?[2J"')
})

test('JSON has every episode with its times', () => {
  const { alerts } = JSON.parse(jsonOf(reportOf(), 'StakewatchWalletLow')) as { alerts: unknown[] }
  const labels = { alertname: 'StakewatchWalletLow', severity: 'critical', job: 'stakewatch', address: 'vault' }
  const rest = { began_before: false, is_firing: false, labels }
  expect(alerts).toEqual([
    {
      alert: 'StakewatchWalletLow',
      severity: 'critical',
      would_fire: {
        times: 2,
        total_seconds: 5_400,
        longest_seconds: 3_600,
        pages: 1,
        messages: 3,
        episodes: [
          { ...rest, began_before: true, start: '2026-11-19T23:30:00Z', end: '2026-11-20T00:30:00Z' },
          { ...rest, start: '2026-11-20T10:00:00Z', end: '2026-11-20T11:00:00Z' },
        ],
      },
      did_fire: { times: 0, total_seconds: 0, longest_seconds: 0, pages: 0, messages: 0, episodes: [] },
    },
  ])
})

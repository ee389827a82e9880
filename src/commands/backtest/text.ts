// What a backtest found as text.

import { formatDuration } from '../../lib/duration.ts'
import { printable } from '../../lib/printable.ts'
import { aligned, counted } from '../terminal-text.ts'
import type { Episode, Stretch } from './read-history.ts'
import { alertsIn, isEverLoaded, lasting, type Report, severityOf, type Summary, type Totals } from './report.ts'

/** Gaps that are listed; the others are counted. */
const MOST_LISTED = 5

export function textOf(report: Report, alert: string | undefined): string {
  const lines = [
    ...headOf(report),
    '',
    ...(alert === undefined ? tableOf(report) : episodesOf(report, alert)),
    ...Array.from(
      report.problems,
      ([rule, problem]) => `${rule} could not be evaluated all the time: ${printable(problem)}`,
    ),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

const timeOf = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(0, 16).replace('T', ' ')
const hoursOf = (seconds: number) => `${(seconds / 3_600).toFixed(1)} hours`
const lastedOf = (seconds: number) => formatDuration(seconds * 1_000)

function headOf(report: Report): string[] {
  const { step, window, gaps, unloaded, limits } = report
  const span = lasting([window], step)
  const [first] = gaps
  const changed = Object.entries(limits).map(([name, value]) => `${name}=${value}`)
  return [
    `${fromTo(window, step)} UTC (${hoursOf(span)}), evaluated every ${lastedOf(step)}${changed.length > 0 ? `, also with ${changed.join(' ')}` : ''}`,
    ...stretchLines(gaps, step, 'Prometheus has no series of stakewatch', 'Nothing is known of that time.'),
    ...(first?.from === window.from
      ? [
          `Before ${timeOf((first.to + 1) * step)} it has none: it keeps less than --since, or stakewatch was not scraped yet.`,
        ]
      : []),
    ...stretchLines(unloaded, step, 'Prometheus had not loaded the rules', 'What did fire then is unknown.'),
  ]
}

function stretchLines(stretches: readonly Stretch[], step: number, what: string, so: string): string[] {
  if (stretches.length === 0) return []
  const listed = stretches
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, MOST_LISTED)
    .toSorted((a, b) => a.from - b.from)
  const more = stretches.length - listed.length
  return [
    `${what} for ${hoursOf(lasting(stretches, step))}${more > 0 ? `, ${more + listed.length} times, the longest of them` : ''}:`,
    ...listed.map((one) => `  from ${fromTo(one, step)} (${hoursOf(lasting([one], step))})`),
    so,
  ]
}

const fromTo = ({ from, to }: Stretch, step: number) => `${timeOf(from * step)} to ${timeOf((to + 1) * step)}`

const TOTALS = ['times', 'total', 'longest', 'pages', 'messages']
const DID = ['times', 'total']

function tableOf(report: Report): string[] {
  const { shipped, other, did, rules } = report
  const isLoaded = isEverLoaded(report)
  const alerts = alertsIn(report)
  const row = (name: string, severity: string, of: (summary: Summary) => Totals | undefined) => [
    name,
    severity,
    ...cellsOf(of(shipped)),
    ...(isLoaded ? cellsOf(of(did)).slice(0, DID.length) : DID.map(() => '?')),
    ...(other ? otherCells(of(shipped), of(other)) : []),
  ]
  const [head, ...rows] = aligned([
    ['alert', 'severity', ...TOTALS, ...DID, ...(other ? TOTALS : [])],
    ...alerts.map((alert) => row(alert, severityOf(report, alert), ({ byAlert }) => byAlert.get(alert))),
    row('all', '', ({ all }) => all),
  ])
  const silent = counted(rules.filter(({ alert }) => !alerts.includes(alert)).length, 'other alert')
  const titles = ['with the shipped limits', 'did fire', ...(other ? ['with the other limits'] : [])]
  return [
    titlesOver(head!, titles),
    head!,
    ...rows,
    '',
    `${silent} would not have fired${isLoaded ? ', and did not' : ''}.`,
  ]
}

/** Each title over the next column of `times`. */
function titlesOver(head: string, titles: readonly string[]): string {
  const columns = [...head.matchAll(/\btimes\b/g)].map(({ index }) => index)
  return titles.reduce((line, title, at) => line.padEnd(columns[at]!) + title, '')
}

function cellsOf(totals: Totals | undefined): string[] {
  if (!totals || totals.fired + totals.messages === 0) return TOTALS.map(() => '-')
  const { fired, total, longest, pages, messages } = totals
  return [String(fired), lastedOf(total), lastedOf(longest), String(pages), String(messages)]
}

function otherCells(shipped: Totals | undefined, other: Totals | undefined): string[] {
  const [before, cells] = [cellsOf(shipped), cellsOf(other)]
  return cells.every((cell, at) => cell === before[at]) ? TOTALS.map((_, at) => (at === 0 ? 'same' : '')) : cells
}

function episodesOf(report: Report, alert: string): string[] {
  const { shipped, other, did, step } = report
  const of = ({ episodes }: Summary) => episodes.filter(({ labels }) => labels['alertname'] === alert)
  const part = (what: string, some: readonly Episode[]) =>
    some.length === 0 ? [`${alert} ${what}: never`] : [`${alert} ${what}:`, ...aligned(some.map(rowOf))]
  return [
    ...part('would have fired', of(shipped)),
    ...(other ? ['', ...part('with the other limits', of(other))] : []),
    '',
    ...(isEverLoaded(report) ? part('did fire', of(did)) : [`What ${alert} did is unknown.`]),
  ]

  function rowOf({ from, to, labels }: Episode): string[] {
    const { window } = report
    const lasted = lasting([{ from: Math.max(from, window.from), to }], step)
    return [
      `  ${from < window.from ? 'before it' : timeOf(from * step)}`,
      to === window.to ? 'still fires' : timeOf((to + 1) * step),
      lastedOf(lasted),
      Object.entries(labels)
        .filter(([name]) => name !== 'alertname' && name !== 'severity')
        .map(([name, value]) => `${name}=${JSON.stringify(printable(value))}`)
        .join(' '),
    ]
  }
}

// docs/incidents.md: what happened, who was told of it, and which incident tells each alert and each limit from a wrong one.

import type { Told } from '../notifications.ts'
import { MINUTES } from './incident.ts'
import { mutations } from './mutations.ts'
import { severityOf } from './read.ts'
import { incidents } from './scripts/index.ts'
import type { Outcome } from './worker.ts'

type Row = readonly (string | number)[]

function table(head: Row, rows: readonly Row[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const minutes = (count: number) => (count >= 2_880 ? `${Math.round(count / 144) / 10} d` : `${count} min`)

/** Each alert once, with the first minute in which it fired. */
function inWords(fired: Outcome['fired']): string {
  const first = new Map<string, number>()
  for (const { alert, from } of fired) first.set(alert, Math.min(first.get(alert) ?? Infinity, from))
  return [...first]
    .toSorted(([, a], [, b]) => a - b)
    .map(([alert, from]) => `${alert.replace(/^Stakewatch/, '')} (${severityOf(alert)}, ${minutes(from)})`)
    .join(', ')
}

const firesTo = (told: readonly Told[], receiver: string) =>
  told.filter((one) => one.receiver === receiver && one.kind === 'fires').length

export function incidentsPage(outcomes: readonly Outcome[], told: Readonly<Record<string, readonly Told[]>>): string {
  const lasts = (name: string) => minutes(incidents.find((one) => one.name === name)?.minutes ?? MINUTES)
  const loud = outcomes.filter(({ fired }) => fired.length > 0)
  const silent = outcomes.filter(({ fired }) => fired.length === 0)
  const receivers = (name: string) => [firesTo(told[name]!, 'pager'), firesTo(told[name]!, 'team')]
  const catcher = (mutation: string) => outcomes.find(({ caught }) => caught.includes(mutation))?.name ?? '**none**'
  const limits = [...new Set(mutations.map(({ name }) => /^(\w+) (?:doubled|halved)$/.exec(name)?.[1]))].filter(
    (limit) => limit !== undefined,
  )
  const alerts = mutations.filter(({ name }) => name.endsWith(' left out')).map(({ name }) => name.split(' ')[0]!)
  return `# Incidents

<!-- Written by \`npm run incidents -- --write\`. -->

Each of these was played: a simulated network, the real daemon that watches it, and the alert rules as promtool evaluates
them, minute by minute. \`npm run incidents\` plays them again and ends with 1 when an alert is missing, late or false. A real
Alertmanager with the example configuration has counted the notifications. Times are minutes after the beginning of what
happened.

## What somebody is told of

${table(
  ['incident', 'fires', 'pages', 'messages to the team'],
  loud.map(({ name, fired }) => [name, inWords(fired), ...receivers(name)]),
)}

## What nobody is told of

${table(
  ['what happens', 'watched for', 'notifications'],
  silent.map(({ name }) => [name, lasts(name), told[name]!.length]),
)}

## Without an alert

The incident that is missed when the alert is left out.

${table(
  ['alert', 'incident'],
  alerts.map((alert) => [alert, catcher(`${alert} left out`)]),
)}

## With another limit

The incident in which an alert is missing, late or false when the limit is doubled or halved.

${table(
  ['limit', 'doubled', 'halved'],
  limits.map((limit) => [limit, catcher(`${limit} doubled`), catcher(`${limit} halved`)]),
)}
`
}

// The series that one round of the collectors published, the results of its tasks, and what the judge finds wrong. And the lines of
// `check --live` about them: one for each watched thing, with a state, a reason and a remedy.

import { alertsAbout, alertsOf } from '../../../status/value/alerts.ts'
import { type AlertsAbout, type Judged, votersIn, type Votes } from '../../../status/value/readings.ts'
import type { Alert } from '../../../status/value/status-schema.ts'
import { collectors } from '../../../collectors/index.ts'
import type { Reading, Readings } from '../../../conditions/board.ts'
import type { Config } from '../../../config/schema.ts'
import type { Labels } from '../../../lib/label-text.ts'
import type { TaskStatus } from '../../../metrics/publication.ts'
import { NOTHING_CONFIGURED, type Task, whyOff } from '../../../scheduler/plan.ts'
import type { ProxyChoice } from '../../../upstream/dispatchers.ts'
import { printable } from '../../../lib/printable.ts'
import { greatest } from '../../../lib/statistics.ts'
import { counted } from '../../terminal-text.ts'

export interface Asked {
  task: Task
  status: TaskStatus
}

export interface Seen {
  config: Config
  asked: readonly Asked[]
  readings: Readings
  /** Unix seconds. */
  now: number
  proxyOf: ProxyChoice
  votes: Votes
  /** What the judge finds wrong, whether or not it has lasted for the `for` of its alert. Expectations have lines of their own. */
  alerts: readonly Alert[]
  alertsAbout: AlertsAbout
}

export function seenIn(
  config: Config,
  tasks: readonly Task[],
  {
    rows,
    readings,
    judged: found,
    ...rest
  }: Pick<Seen, 'now' | 'proxyOf' | 'readings'> & { rows: readonly TaskStatus[]; judged: Judged | undefined },
): Seen {
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const asked = tasks.flatMap((task) => {
    const status = byKey.get(task.key)
    return status ? [{ task, status }] : []
  })
  const alerts = alertsOf({ judged: found && { ...found, isCurrent: true }, instance: '' }).filter(
    ({ severity, labels }) => severity !== 'info' && labels['expectation'] === undefined,
  )
  const votes = votersIn(readings) ?? (() => true)
  return { config, asked, readings, votes, alerts, alertsAbout: alertsAbout(alerts), ...rest }
}

export function seriesOf({ readings }: Seen, metric: string, about: Labels): readonly Reading[] {
  return (readings.get(metric) ?? []).filter(({ labels }) => has(labels, about))
}

export function valueOf(seen: Seen, metric: string, about: Labels): number | undefined {
  return seriesOf(seen, metric, about)[0]?.value
}

/** The values of a label for which the metric is `value`, such as the current state or the sources that say so. */
export function labelsWith(seen: Seen, metric: string, about: Labels, label: string, value = 1): string[] {
  return seriesOf(seen, metric, about)
    .flatMap((one) => (one.value === value ? (one.labels[label] ?? []) : []))
    .toSorted()
}

/** A chain that nodes run, and that has died or could not start on some of them. `metric` has its states. */
export function brokenOn(seen: Seen, metric: string, about: Labels): string | undefined {
  const words = { dead: 'has died', failed: 'could not start' }
  const parts = Object.entries(words).flatMap(([state, what]) => {
    const sources = labelsWith(seen, metric, { ...about, state }, 'source')
    return sources.length === 0 ? [] : `${what} on ${sources.join(', ')}`
  })
  return parts.length === 0 ? undefined : parts.join('; ')
}

/** Tasks of a collector that cover the thing. */
export function asksAbout({ asked }: Seen, collector: string, about: Labels): readonly Asked[] {
  return asked.filter(({ task }) => task.collector.name === collector && mayBeAbout(task.labels, about))
}

/** Why the collector has no data about the thing. */
export function whyUnknown(seen: Seen, collector: string, about: Labels): string {
  const own = asksAbout(seen, collector, about)
  const failed = own.find(({ status }) => status.result === 'failure')
  const missing = failed ?? own.find(({ status }) => status.result === 'unsupported')
  if (missing) return missing.status.reason
  if (own.length > 0) return 'the answers do not include it'
  const definition = collectors.find(({ name }) => name === collector)!
  const off = whyOff(seen.config, definition)
  return off === NOTHING_CONFIGURED ? 'no configured source reports it' : `collector ${collector}: ${off}`
}

function has(labels: Labels, wanted: Labels): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value)
}

function mayBeAbout(own: Labels, about: Labels): boolean {
  return Object.entries(about).every(([name, value]) => own[name] === undefined || own[name] === value)
}

type State = 'ok' | 'problem' | 'unknown'

export interface Line {
  state: State
  kind: string
  /** `fuji/primary/val-1`. */
  name: string
  text: string
  remedies: readonly string[]
  /** What the judge finds wrong with it. */
  alerts?: readonly Alert[]
  /** An upstream that did not answer: things that only it reports need no lines of their own. */
  isDown?: true
}

export type Verdict = Omit<Line, 'kind' | 'name'>

export const ok = (text: string): Verdict => ({ state: 'ok', text, remedies: [] })
export const problem = (text: string, ...remedies: string[]): Verdict => ({ state: 'problem', text, remedies })
export const down = (text: string, remedy: string): Verdict => ({ ...problem(text, remedy), isDown: true })
export const unknown = (text: string, ...remedies: string[]): Verdict => ({ state: 'unknown', text, remedies })

/** With what the judge finds wrong. A thing that is not what the configuration means has that problem first. */
export function judged(line: Line, alerts: readonly Alert[]): Line {
  if (line.state === 'problem' || alerts.length === 0) return { ...line, alerts }
  const remedies = alerts.map(({ alert, title, action }) => `${title}. ${action} (${alert})`)
  return { ...line, state: 'problem', remedies, alerts }
}

/** A longer name shifts only its own line. */
const LONGEST_NAME = 44

/** Columns for state, kind, name and text; a remedy is below the text. */
export function tableOf(lines: readonly Line[]): string {
  const widthOf = (texts: readonly string[]) =>
    greatest(
      texts.map(({ length }) => length),
      0,
    )
  const kind = widthOf(lines.map((line) => line.kind))
  const name = Math.min(LONGEST_NAME, widthOf(lines.map((line) => line.name)))
  const indent = ' '.repeat('unknown'.length + kind + name + 6)
  return lines
    .flatMap((line) => [
      `${line.state.padEnd('unknown'.length)}  ${line.kind.padEnd(kind)}  ${line.name.padEnd(name)}  ${line.text}`,
      ...line.remedies.map((remedy) => `${indent}-> ${remedy}`),
    ])
    .map((text) => `${printable(text)}\n`)
    .join('')
}

/** The exit code: 1 for a problem, 3 when something is unknown and nothing is known to be wrong. */
export function exitCodeFor(lines: readonly Line[]): number {
  if (lines.some(({ state }) => state === 'problem')) return 1
  return lines.some(({ state }) => state === 'unknown') ? 3 : 0
}

/** `12 ok, 1 problem, 2 unknown`. */
export function countsOf(lines: readonly Line[]): string {
  const count = (state: State) => lines.filter((line) => line.state === state).length
  return `${count('ok')} ok, ${counted(count('problem'), 'problem')}, ${count('unknown')} unknown`
}

// The alerts as the daemon's own verdicts make them, and the thing that each one is about.

import { JOB } from '../../alerts/groups.ts'
import type { Instance } from '../../alerts/states.ts'
import { parseTemplate, render, type Template, type TemplateData } from '../../alerts/template.ts'
import { queryOf } from '../../alerts/text-query.ts'
import type { Alerting } from '../../alerts/verdict-alerts.ts'
import { entryOf } from '../../lib/entry.ts'
import { sortedLabels } from '../../lib/label-text.ts'
import { type AlertKind, type AlertsAbout, type Input, keyOf } from './readings.ts'
import type { Alert, Status } from './status-schema.ts'

/** The most urgent first. */
export function alertsOf({ judged, instance }: Pick<Input, 'judged' | 'instance'>): Alert[] {
  if (!judged) return []
  const { isCurrent } = judged
  const alerts = judged.alerting.flatMap((one) =>
    Array.from(one.instances.values(), (found) => alertOf(one, found, { isCurrent, instance })),
  )
  return alerts.toSorted(
    (a, b) =>
      urgencies.indexOf(a.severity) - urgencies.indexOf(b.severity) ||
      states.indexOf(a.state) - states.indexOf(b.state) ||
      a.active_timestamp_seconds - b.active_timestamp_seconds,
  )
}

const urgencies: readonly string[] = ['critical', 'warning', 'info']
const states: readonly Alert['state'][] = ['firing', 'held', 'pending', 'unknown']

interface Shown {
  isCurrent: boolean
  instance: string
}

function alertOf({ rule, isByInstance }: Alerting, found: Instance, { isCurrent, instance }: Shown): Alert {
  const { labels, value, activeAt, firedAt, heldSince, details } = found
  const timeLeft = details?.['time_left'] ?? (rule.isTimeLeft ? value : undefined)
  const target: [string, string][] = [
    ['job', JOB],
    ...(isByInstance ? [['instance', instance] as [string, string]] : []),
  ]
  const data = { labels: sortedLabels([...Object.entries(labels), ...target]), value, query: queryOf(found) }
  const state = heldSince !== undefined ? 'held' : firedAt !== undefined ? 'firing' : 'pending'
  return {
    severity: rule.severity as Alert['severity'],
    alert: rule.alert,
    state: isCurrent ? state : 'unknown',
    title: textOf(rule.title, data),
    summary: textOf(rule.summary, data),
    description: textOf(rule.description, data),
    action: textOf(rule.action, data),
    labels: data.labels,
    time_left_seconds: typeof timeLeft === 'number' && timeLeft >= 0 ? timeLeft : null,
    active_timestamp_seconds: activeAt / 1_000,
    firing_timestamp_seconds: secondsOf(firedAt),
    held_timestamp_seconds: secondsOf(heldSince),
  }
}

const templates = new Map<string, Template>()
const textOf = (text: string, data: TemplateData) =>
  render(
    entryOf(templates, text, () => parseTemplate(text)),
    data,
  )

const secondsOf = (time: number | undefined) => (time === undefined ? null : time / 1_000)

export function evaluationOf({ judged }: Pick<Input, 'judged'>): Status['rules'] {
  return {
    evaluated_timestamp_seconds: judged ? (judged.at.wall - judged.ahead) / 1_000 : null,
    current: judged?.isCurrent ?? false,
    alerts: judged?.alerting.length ?? 0,
    problems: [...(judged?.problems ?? [])],
  }
}

/** The most precise first. */
const kinds: readonly AlertKind[] = ['collector', 'address', 'route', 'probe', 'node_id', 'chain', 'source', 'subnet']

/** No name is empty. */
const NONE = ''

/** Finds the alerts about a thing: their labels match, and their most precise label is of this kind. */
export function alertsAbout(alerts: readonly Alert[]): AlertsAbout {
  // Each of thousands of things asks, and there may be as many alerts.
  const byThing = new Map(
    kinds.map((kind) => [
      kind,
      Map.groupBy(alerts, ({ labels }) => keyOf(labels['network'] ?? '', labels[kind] ?? NONE)),
    ]),
  )
  return (network, kind, is) =>
    (byThing.get(kind)!.get(keyOf(network, is[kind]!)) ?? []).filter(({ labels }) => {
      const isOfOther = kinds.slice(0, kinds.indexOf(kind)).some((one) => labels[one] !== undefined && !(one in is))
      return !isOfOther && Object.entries(is).every(([name, value]) => (labels[name] ?? value) === value)
    })
}

/** Lower is more urgent. */
export function urgency(alerts: readonly Alert[]): number {
  return Math.min(urgencies.length, ...alerts.map(({ severity }) => urgencies.indexOf(severity)))
}

/** `leftOf`: which of those that are as urgent has less time. */
export function attentionFirst<T extends { alerts: readonly Alert[] }>(
  all: readonly T[],
  leftOf: (one: T) => number = () => 0,
): T[] {
  const ranked = all.map((one) => {
    const rank = urgency(one.alerts)
    return { one, rank, left: rank < urgencies.length ? leftOf(one) : 0 }
  })
  // Of two infinite times none is less.
  return ranked.toSorted((a, b) => a.rank - b.rank || (a.left === b.left ? 0 : a.left - b.left)).map(({ one }) => one)
}

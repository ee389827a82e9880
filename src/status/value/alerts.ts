// The alerts of the last evaluation, and the thing that each one is about.

import type { Evaluated } from '../../firing/evaluate-rules.ts'
import type { Alert, Status } from './status-schema.ts'

/** The last evaluation of the rules; undefined before the first one. */
export type Rules = (Evaluated & { isCurrent: boolean }) | undefined

/** After a reload, the state of alerts is unknown until the next evaluation. */
export function alertsOf(rules: Rules): Alert[] {
  return (rules?.alerts ?? []).flatMap((one) => {
    const { severity, alert, summary, description, labels, activeAt, firedAt, heldSince } = one
    if (severity === 'none' || severity === 'own') return []
    return {
      severity,
      alert,
      state: rules!.isCurrent ? one.state : 'unknown',
      summary,
      description,
      labels,
      active_timestamp_seconds: activeAt / 1_000,
      firing_timestamp_seconds: secondsOf(firedAt),
      held_timestamp_seconds: secondsOf(heldSince),
    }
  })
}

const secondsOf = (time: number | undefined) => (time === undefined ? null : time / 1_000)

export function rulesOf(rules: Rules): Status['rules'] {
  return {
    evaluated_timestamp_seconds: rules ? rules.at.wall / 1_000 : null,
    current: rules?.isCurrent ?? false,
    alerts: rules?.rules ?? 0,
    problems: [...(rules?.problems ?? [])],
  }
}

/** Labels that identify what an alert is about, the most precise first. */
const kinds = ['collector', 'address', 'route', 'probe', 'node_id', 'chain', 'source', 'subnet'] as const

/** Finds the alerts about a thing: their labels match, and their most precise label is of this kind. */
export function alertsAbout(alerts: readonly Alert[]) {
  const byNetwork = Map.groupBy(alerts, ({ labels }) => labels['network'])
  return (network: string, kind: (typeof kinds)[number], is: Readonly<Record<string, string>>): Alert[] =>
    (byNetwork.get(network) ?? []).filter(({ labels }) => {
      if (labels[kind] === undefined) return false
      const isOfOther = kinds.slice(0, kinds.indexOf(kind)).some((one) => labels[one] !== undefined && !(one in is))
      return !isOfOther && Object.entries(is).every(([name, value]) => (labels[name] ?? value) === value)
    })
}

/** Lower is more urgent. */
function urgency(alerts: readonly Alert[]): number {
  const order = ['critical', 'warning', 'info']
  return Math.min(order.length, ...alerts.map(({ severity }) => order.indexOf(severity)))
}

export function attentionFirst<T extends { alerts: readonly Alert[] }>(all: readonly T[]): T[] {
  return all.toSorted((a, b) => urgency(a.alerts) - urgency(b.alerts))
}

// The types of alert rules, and what several rules and conditions share.

import { MINUTE } from '../lib/seconds.ts'
import { labelsOf } from '../metrics/catalogue.ts'
import { hash32 } from '../lib/hash.ts'

// Dashboards and panels, as links name them.

/** The variables of each dashboard that match labels of alerts, outermost first. */
export const variables = {
  fleet: ['network', 'subnet', 'validator'],
  validator: ['network', 'subnet', 'validator'],
  l1s: ['network', 'subnet', 'validator'],
  chains: ['network', 'chain', 'source'],
  wallets: ['network', 'address'],
  messages: ['network'],
  self: ['network'],
} as const

export type Page = keyof typeof variables

/** Ids of panels come from their titles, so that links survive when other panels come or go. */
export function panelId(title: string): number {
  return (hash32(title) % 1_000_000_000) + 1
}

export type Maintained = 'validator' | 'machine' | 'node' | 'nodes' | 'chain' | 'subnet' | 'wallet'

export interface Rule {
  alert: string
  /** The condition whose verdict it reads. */
  condition?: string
  /** The metrics that the condition judges. */
  reads?: readonly string[]
  /** Metrics that only its text needs. */
  readsForText?: readonly string[]
  /** critical pages, warning waits for the morning, info is for dashboards; none is for the watchdog, `own` is the series's. */
  severity: 'critical' | 'warning' | 'info' | 'none' | 'own'
  /** The dashboard, and the title of its panel that shows what the rule reads. */
  panel: `${Page}: ${string}`
  expr: string
  /** Seconds for which the expression must be true before the alert fires. */
  for: number
  /** Seconds for which the alert keeps firing after the expression became false, so that a gap does not end it. Default: HOLD. */
  hold?: number
  /** A maintenance window over this object suppresses the alert. `machine`: over any validator of the machine; `nodes`: over all nodes. */
  quietFor?: Maintained
  /** Its value is the time that is left before the harm (seconds). */
  isTimeLeft?: true
  /** What a locked telephone shows: the object, then what is wrong with it, in at most 40 characters. A Prometheus template. */
  title: string
  /** The same for all instances of the alert. */
  summary: string
  /** What to do first: one sentence, in the imperative. A Prometheus template. */
  action: string
  /** A Prometheus template. */
  description: string
}

export interface Group {
  name: string
  rules: readonly Rule[]
}

/** Longer than a restart and than StakewatchDown takes to fire: a gap must not resolve alerts. */
export const HOLD = 10 * MINUTE

/** The metrics that the rule is about: those that its condition judges, or that its expression names. */
export const metricsOf = ({
  expr,
  reads,
  readsForText = [],
}: Pick<Rule, 'expr' | 'reads' | 'readsForText'>): readonly string[] => [
  ...(reads ?? expr.match(/\bstakewatch_\w+|\bup\b/g) ?? []),
  ...readsForText,
]

/**
 * The greatest value over all replicas, by the job and the labels of the metric. Target labels go: replicas may have some that we
 * do not know, and different ones would duplicate alerts.
 */
export function latest(series: string): string {
  const [metric] = /\bstakewatch_\w+/.exec(series) ?? []
  if (metric === undefined) throw new Error(`no metric of stakewatch in ${series}`)
  return `max by (${['job', ...labelsOf(metric)].join(', ')}) (${series})`
}

/** Expectations about money and keys, which page; other settings only warn. */
export const TAMPERING: ReadonlySet<string> = new Set(['bls_public_key', 'remaining_balance_owner', 'reward_addresses'])

/** A validator in a description. Without a configured name, its node id is its name. */
export const named =
  '{{ $labels.validator }}{{ if ne $labels.validator $labels.node_id }} ({{ $labels.node_id }}){{ end }}'
/** The same, and where it validates. */
export const validator = `${named} on {{ $labels.network }}/{{ $labels.subnet }}`

// What the status is made of, and the published series grouped by the thing that they describe.

import type { Config } from '../../config/schema.ts'
import type { Shard } from '../../lib/shard.ts'
import type { TaskStatus, UpstreamError } from '../../metrics/publication.ts'
import type { Reading, Readings } from '../../conditions/board.ts'
import type { Asked, Weeks } from '../../conditions/turns-week.ts'
import type { Task } from '../../scheduler/plan.ts'
import type { Source } from '../../upstream/source.ts'
import type { Maintained } from '../../alerts/rule.ts'
import type { Alerting } from '../../alerts/verdict-alerts.ts'
import type { Moment } from '../../lib/clock.ts'
import type { Alert } from './status-schema.ts'
import { VOTES } from './metric-names.ts'

/** What a round of the judge found. */
export interface Judged {
  at: Moment
  /** How far our clock is ahead of the upstreams, by which everything published has its times (milliseconds). */
  ahead: number
  alerting: readonly Alerting[]
  /** Why an alert's condition could not be judged. */
  problems: readonly { rule: string; problem: string }[]
}

/** What the nodes that vote say of a validator; undefined without votes. */
export interface ValidatorVotes {
  /** Share that is connected to it. */
  connected: number | undefined
  /** Seconds that it may still be down: the median. */
  budget: number | undefined
  isRewardLost: boolean
}
export type VotesOf = (of: Readonly<Record<'network' | 'subnet' | 'node_id', string>>) => ValidatorVotes

/** What became of the turns of a validator within the last week. */
export type TurnsOf = (of: Readonly<Record<'network' | 'subnet' | 'node_id', string>>, asked: Asked) => Weeks | null

export interface Input {
  version: string
  shard: Shard
  isSimulated: boolean
  config: Config
  tasks: readonly Task[]
  sources: readonly Source[]
  readings: Readings
  rows: readonly TaskStatus[]
  errors: readonly UpstreamError[]
  /** Undefined before the first round of the judge. */
  judged: (Judged & { isCurrent: boolean }) | undefined
  /** What Prometheus calls this instance. */
  instance: string
  isStalled: boolean
  turnsOf: TurnsOf
  votesOf: VotesOf
  /** In seconds. */
  now: number
}

/** A machine is named by its node id. */
export type MaintainedKind = Exclude<Maintained, 'nodes'>

/** Labels that identify what an alert is about. */
export type AlertKind = 'collector' | 'address' | 'route' | 'probe' | 'node_id' | 'chain' | 'source' | 'subnet'

/** `is` has the label of the kind, and others. */
export type AlertsAbout = (network: string, kind: AlertKind, is: Readonly<Record<string, string>>) => Alert[]

export interface Alerted extends Input {
  alerts: AlertsAbout
  /** The window that suppresses alerts about an object of this kind; null if none does. */
  maintenance: (kind: MaintainedKind, network: string, ...name: readonly string[]) => string | null
}

export interface OwnReadings {
  /** The value of a metric, or of its series with this label; null when it is not published or not finite. */
  value(metric: string, label?: string, text?: string): number | null
  /** 1 is true, 0 is false. */
  flag(metric: string, label?: string, text?: string): boolean | null
  all(metric: string): readonly Reading[]
}

/** These labels together identify a thing; the result takes their values. */
export function groupReadings(
  readings: Readings,
  metrics: readonly string[],
  labels: readonly string[],
): (...things: readonly string[]) => OwnReadings {
  const things = Map.groupBy(
    metrics.flatMap((metric) => readings.get(metric) ?? []),
    (series) => keyOf(...labels.map((label) => series.labels[label] ?? '')),
  )
  return (...parts) => {
    const own = things.get(keyOf(...parts)) ?? []
    const value: OwnReadings['value'] = (metric, label, text = '') => {
      const found = own.find(
        ({ name, labels }) => name === metric && (label === undefined || (labels[label] ?? '') === text),
      )
      return found && Number.isFinite(found.value) ? found.value : null
    }
    return {
      value,
      flag(metric, label, text) {
        const number = value(metric, label, text)
        return number === null ? null : number === 1
      },
      all: (metric) => own.filter(({ name }) => name === metric),
    }
  }
}

/** Names contain no slash, so keys are unique. */
export const keyOf = (...parts: readonly string[]) => parts.join('/')

export type Votes = (network: string, source: string) => boolean

/** Undefined before the first verdict: then it is not known. */
export function votersIn(readings: Readings): Votes | undefined {
  const published = readings.get(VOTES)
  if (!published) return undefined
  const muted = new Set(
    published.flatMap(({ labels, value }) =>
      value === 0 ? [keyOf(labels['network'] ?? '', labels['source'] ?? '')] : [],
    ),
  )
  return (network, source) => !muted.has(keyOf(network, source))
}

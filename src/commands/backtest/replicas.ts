// The instances of stakewatch in the history, each judging what it published. Replicas do not know of each other.

import type { Thresholds } from '../../alerts/thresholds.ts'
import { type Board, createBoard, type Reading } from '../../conditions/board.ts'
import { conditions } from '../../conditions/index.ts'
import { createJudge, type Judge } from '../../conditions/judge.ts'
import { valuesOf } from '../../conditions/published.ts'
import { entryOf } from '../../lib/entry.ts'
import { labelKey, type Labels, sortedLabels } from '../../lib/label-text.ts'
import { DAY } from '../../lib/seconds.ts'
import { labelsOf } from '../../metrics/catalogue.ts'
import type { Series } from '../../metrics/read-exposition.ts'

/** A problem, with the labels of the object and of the instance that judged it. */
export interface Verdict extends Reading {
  condition: string
}

/** As long as a judge remembers anything (seconds). */
const FORGOTTEN = DAY

interface Replica {
  /** The labels that Prometheus adds to its series. */
  target: Labels
  board: Board
  /** Those of which it has samples. */
  metrics: Set<string>
  /** One for each set of limits: what is a problem with one is none with another, and a judge remembers. */
  judges: readonly Judge[]
  /** When it last had samples (seconds since the epoch). */
  seenAt: number
}

/** They judge with each set of limits. */
export function createReplicas(sets: readonly Thresholds[]) {
  const replicas = new Map<string, Replica>()
  const failures = new Map<string, string>()
  const taken = new Map<string, readonly Reading[]>()

  const replicaOf = (target: Labels) =>
    entryOf(replicas, labelKey(target), () => ({
      target,
      board: createBoard(),
      metrics: new Set<string>(),
      judges: sets.map(() => createJudge(conditions)),
      seenAt: -Infinity,
    }))

  let ended: readonly Verdict[][] = []

  function judgeNow(judge: Judge, { board, target }: Replica, now: number, limits: Thresholds) {
    const { judged, over, failed } = judge.judge(board, now, limits)
    for (const [{ alert }, problem] of failed) if (!failures.has(alert)) failures.set(alert, problem)
    const of = (condition: string, labels: Labels, value: number) => ({
      condition,
      labels: withTarget(labels, target),
      value,
    })
    return {
      problems: [...valuesOf(judged)].flatMap(([condition, some]) =>
        some.map(({ labels, value }) => of(condition, labels, value)),
      ),
      ended: over.map(({ name, labels }) => of(name, labels, 1)),
    }
  }

  return {
    /** Why an alert could not be judged, the first time. */
    failures: failures as ReadonlyMap<string, string>,
    /** All current samples of a metric. A vector that is the same object as before has not changed. */
    take(metric: string, samples: readonly Reading[]): void {
      if (taken.get(metric) === samples) return
      taken.set(metric, samples)
      const divided = dividedOf(metric, samples)
      for (const [key, one] of replicas) if (!divided.has(key)) put(one, metric, [])
      for (const { target, readings } of divided.values()) put(replicaOf(target), metric, readings)
    },
    /**
     * The verdicts with each set of limits; `now` is in seconds since the epoch. An instance that publishes nothing says nothing, and
     * remembers what was, as one that keeps it in its storage.
     */
    verdicts(now: number): Verdict[][] {
      for (const [key, one] of replicas) {
        if (one.metrics.size > 0) one.seenAt = now
        else if (now - one.seenAt > FORGOTTEN) replicas.delete(key)
      }
      const present = [...replicas.values()].filter(({ metrics }) => metrics.size > 0)
      const found = sets.map((limits, at) => present.map((one) => judgeNow(one.judges[at]!, one, now, limits)))
      ended = found.map((some) => some.flatMap((one) => one.ended))
      return found.map((some) => some.flatMap(({ problems }) => problems))
    },
    /** What had lately ceased to be a problem when they last judged, with each set of limits. */
    ended: () => ended,
    /** Everything begins afresh. */
    clear(): void {
      replicas.clear()
      taken.clear()
    },
  }
}

/** Each metric is a unit. */
function put({ board, metrics }: Replica, metric: string, readings: readonly Series[]): void {
  if (readings.length === 0 && !metrics.has(metric)) return
  board.replace(metric, readings)
  if (readings.length > 0) metrics.add(metric)
  else metrics.delete(metric)
}

/** The readings by instance: what is no label of the metric is one of the target. */
function dividedOf(metric: string, samples: readonly Reading[]) {
  const own = new Set(labelsOf(metric))
  const divided = new Map<string, { target: Labels; readings: Series[] }>()
  for (const { labels, value } of samples) {
    const [inner, outer]: [[string, string][], [string, string][]] = [[], []]
    for (const entry of Object.entries(labels)) (own.has(entry[0]) ? inner : outer).push(entry)
    const target = sortedLabels(outer)
    const { readings } = entryOf(divided, labelKey(target), () => ({ target, readings: [] }))
    readings.push({ name: metric, labels: Object.fromEntries(inner), value })
  }
  return divided
}

const withTarget = (labels: Labels, target: Labels) =>
  sortedLabels([...Object.entries(labels), ...Object.entries(target)])

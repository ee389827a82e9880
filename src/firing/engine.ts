// Evaluates the rules over samples, round by round, as Prometheus does: first the recording rules, then the alerts.

import { JOB, writtenGroups } from '../alerts/groups.ts'
import { listId, metricsRead, SERIES_MISSING } from '../alerts/missing.ts'
import { recorded } from '../alerts/recorded.ts'
import type { Recorded, Rule } from '../alerts/rule.ts'
import { groupsOf } from '../alerts/rules.ts'
import { thresholds } from '../alerts/thresholds.ts'
import type { Labels } from '../lib/label-text.ts'
import type { Steps } from '../lib/steps.ts'
import { evaluate, type Value, vectorOf } from '../promql/evaluate.ts'
import type { Expression } from '../promql/expression.ts'
import { createHistory, type History, reachOf } from '../promql/sample-history.ts'
import { parsePromql } from '../promql/parse.ts'
import { proveUnique, type Vector } from '../promql/sample.ts'
import { advance, type Instances } from './states.ts'

export interface Engine {
  /** Several rules may record one metric, each with its own labels. */
  recording: readonly { record: string; parts: readonly { expression: Expression; labels: Labels }[] }[]
  alerting: readonly { rule: Rule; expression: Expression }[]
  history: History
  instances: Map<string, Instances>
  /** Why a rule could not be evaluated in the last round, by its name. */
  problems: Map<string, string>
  metrics: ReadonlySet<string>
}

interface Rules {
  recording: readonly Recorded[]
  alerting: readonly Rule[]
}

/** The built-in rules, except the one that compares served with stored series. */
export const ownRules = (): Rules => ({
  recording: recorded(thresholds),
  alerting: groupsOf()
    .flatMap(({ rules }) => rules)
    .filter(({ alert }) => alert !== SERIES_MISSING),
})

/** Alerts that an instance cannot evaluate about itself, with the reason. */
export const needPrometheus: Readonly<Record<string, string>> = {
  StakewatchDown: 'an instance that is down evaluates nothing',
  StakewatchShardMissing: 'an instance does not see the other shards',
  StakewatchShardDuplicated: 'an instance does not see the other shards',
  StakewatchWatchdog: 'it proves that alerts reach their receiver',
  StakewatchDrill: 'it proves that alerts reach their receiver',
}

/** The metrics that the rules read of each instance, and the id of that list. */
export function alertingMetrics(): { metrics: ReadonlySet<string>; list: string } {
  const metrics = metricsRead({ groups: writtenGroups(thresholds, JOB), recorded: recorded(thresholds) })
  return { metrics: new Set(metrics), list: listId(metrics) }
}

/** The rules that an instance evaluates itself. */
export function instanceRules(): Rules {
  const { recording, alerting } = ownRules()
  return { recording, alerting: alerting.filter(({ alert }) => !(alert in needPrometheus)) }
}

export function createEngine(rules: Rules): Engine {
  const recording = [...Map.groupBy(rules.recording, ({ record }) => record)].map(([record, some]) => ({
    record,
    parts: some.map(({ expr, labels = {} }) => ({ expression: parsePromql(expr), labels })),
  }))
  const alerting = rules.alerting.map((rule) => ({ rule, expression: parsePromql(rule.expr) }))
  // What the texts look up is only looked up while an alert fires.
  const lookedUp = rules.alerting.flatMap(({ description }) => description.match(/\bstakewatch_\w+(?=\{)/g) ?? [])
  const reach = reachOf([
    ...recording.flatMap(({ parts }) => parts.map(({ expression }) => expression)),
    ...alerting.map(({ expression }) => expression),
    ...lookedUp.map(parsePromql),
  ])
  return {
    recording,
    alerting,
    history: createHistory(reach),
    instances: new Map(),
    problems: new Map(),
    metrics: new Set(reach.keys()),
  }
}

/** One round over the current samples, by metric. `now` is in milliseconds. */
export function* roundOf(engine: Engine, now: number, samples: ReadonlyMap<string, Vector>): Steps {
  const { recording, alerting, history, instances } = engine
  yield* history.take(now, samples)
  for (const { record, parts } of recording) {
    yield* attempt(engine, record, function* () {
      const made: Vector[] = []
      for (const { expression, labels } of parts) {
        made.push(recordedAs(record, yield* evaluate(expression, now, history), labels))
      }
      const vector = made.flat()
      yield* proveUnique(vector)
      yield* history.record(record, vector)
    })
  }
  for (const { rule, expression } of alerting) {
    yield* attempt(engine, rule.alert, function* () {
      const before = instances.get(rule.alert) ?? new Map()
      const result = yield* vectorOf(expression, now, history)
      instances.set(rule.alert, advance(rule, before, result, now))
    })
  }
  yield* history.record(
    'ALERTS',
    alerting.flatMap(({ rule }) => alertSamples(rule, instances.get(rule.alert))),
  )
}

/** The ALERTS series, which rules read in the next round. */
function alertSamples({ alert, severity }: Rule, instances: Instances = new Map()): Vector {
  return [...instances.values()].map(({ labels, firedAt }) => ({
    name: 'ALERTS',
    labels: {
      ...labels,
      alertname: alert,
      alertstate: firedAt === undefined ? 'pending' : 'firing',
      ...(severity !== 'own' && { severity }),
    },
    value: 1,
  }))
}

/** A failed rule keeps its previous alerts: unknown is not resolved. */
function* attempt({ problems }: Engine, name: string, work: () => Steps): Steps {
  try {
    yield* work()
    problems.delete(name)
  } catch (error) {
    problems.set(name, error instanceof Error ? error.message : String(error))
  }
}

function recordedAs(name: string, value: Value, labels: Labels): Vector {
  if (typeof value === 'string') throw new Error('a text cannot be recorded')
  const vector = typeof value === 'number' ? [{ labels: {}, value }] : value
  return vector.map((sample) => ({ name, labels: { ...sample.labels, ...labels }, value: sample.value }))
}

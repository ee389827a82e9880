// Evaluates the rules over samples, round by round, as Prometheus does.

import { JOB, writtenGroups } from '../alerts/groups.ts'
import { listId, metricsRead, SERIES_MISSING } from '../alerts/missing.ts'
import { ofInstance } from '../alerts/condition-rule.ts'
import type { Rule } from '../alerts/rule.ts'
import { groupsOf } from '../alerts/rules.ts'
import { thresholds } from '../alerts/thresholds.ts'
import type { Steps } from '../lib/steps.ts'
import { vectorOf } from '../promql/evaluate.ts'
import type { Expression } from '../promql/expression.ts'
import { createHistory, type History, reachOf } from '../promql/sample-history.ts'
import { parsePromql } from '../promql/parse.ts'
import type { Vector } from '../promql/sample.ts'
import { advance, type Instances } from './states.ts'

export interface Engine {
  alerting: readonly { rule: Rule; expression: Expression }[]
  history: History
  instances: Map<string, Instances>
  /** Why a rule could not be evaluated in the last round, by its name. */
  problems: Map<string, string>
  metrics: ReadonlySet<string>
}

/** The built-in rules, except the one that compares served with stored series. */
export const ownRules = (): readonly Rule[] =>
  groupsOf()
    .flatMap(({ rules }) => rules)
    .filter(({ alert }) => alert !== SERIES_MISSING)

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
  const metrics = metricsRead(writtenGroups(thresholds, JOB))
  return { metrics: new Set(metrics), list: listId(metrics) }
}

/** The rules that an instance evaluates itself. */
export const instanceRules = (): readonly Rule[] => ownRules().filter(({ alert }) => !(alert in needPrometheus))

export function createEngine(rules: readonly Rule[]): Engine {
  const alerting = rules.map((rule) => ({ rule, expression: parsePromql(ofInstance(rule.expr)) }))
  // What the texts look up is only looked up while an alert fires.
  const lookedUp = rules.flatMap(({ description }) => description.match(/\bstakewatch_\w+(?=\{)/g) ?? [])
  const reach = reachOf([...alerting.map(({ expression }) => expression), ...lookedUp.map(parsePromql)])
  return {
    alerting,
    history: createHistory(reach),
    instances: new Map(),
    problems: new Map(),
    metrics: new Set(reach.keys()),
  }
}

/** One round over the current samples, by metric. `now` is in milliseconds. */
export function* roundOf(engine: Engine, now: number, samples: ReadonlyMap<string, Vector>): Steps {
  const { alerting, history, instances } = engine
  yield* history.take(now, samples)
  for (const { rule, expression } of alerting) {
    yield* attempt(engine, rule.alert, function* () {
      const before = instances.get(rule.alert) ?? new Map()
      const result = yield* vectorOf(expression, now, history)
      instances.set(rule.alert, advance(rule, before, result, now))
    })
  }
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

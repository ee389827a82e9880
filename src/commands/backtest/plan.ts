// What is asked of the server and what we evaluate: the conditions are judged here, over the series that the daemon judged then; so
// verdicts that never existed count too. The server evaluates what is PromQL, and we do `for` and `keep_firing_for`.

import type { Rule } from '../../alerts/rule.ts'
import { rulesOf } from '../../alerts/rules.ts'
import { DRILL } from '../../alerts/self.ts'
import type { Thresholds } from '../../alerts/thresholds.ts'
import { createVerdictAlerts } from '../../alerts/verdict-alerts.ts'
import { nameOf } from '../../conditions/condition.ts'
import { conditions } from '../../conditions/index.ts'
import { metricsReadBy } from '../../conditions/judge.ts'
import { createReplicas } from './replicas.ts'

export type Plan = ReturnType<typeof planOf>

/** The targets that did not answer: their last verdicts hold. */
export const DOWN = 'up == 0'

/** The watchdog and the drill fire to prove that alerts arrive. */
export const isJudged = ({ alert, severity }: Pick<Rule, 'alert' | 'severity'>) =>
  severity !== 'none' && alert !== DRILL

export const judgedRules = (job: string, limits: Thresholds): readonly Rule[] =>
  rulesOf({ job, limits }).filter(isJudged)

export function planOf(job: string, limits: readonly Thresholds[]) {
  const sets = limits.map((one) => {
    const others = judgedRules(job, one).filter(({ condition }) => condition === undefined)
    return {
      alerts: createVerdictAlerts(conditions, others),
      /** Expressions of the rules that read no verdict, by alert. */
      expressions: new Map(others.map(({ alert, expr }) => [alert, expr])),
    }
  })
  /** Why the verdicts of a condition do not count: a series of another replica, with these labels. By the name of the condition. */
  const refutations = new Map(
    conditions.flatMap((one) => (one.refutedBy ? [[nameOf(one), one.refutedBy] as const] : [])),
  )
  const expressions = sets.flatMap((one) => [...one.expressions.values()])
  return {
    /** They judge with each set of limits. */
    replicas: createReplicas(limits),
    /** One for each set of limits. */
    sets,
    refutations,
    /** What the server is asked for about what the daemon judged, by metric. */
    judged: new Map([...metricsReadBy(conditions)].map((metric) => [metric, `${metric}{job="${job}"}`])),
    /** What the server evaluates. */
    asked: new Set([DOWN, ...[...refutations.values()].map(({ series }) => series), ...expressions]),
  }
}

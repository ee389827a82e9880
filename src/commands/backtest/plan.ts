// What is asked of the server and what we evaluate: the conditions are judged here, over the series that the daemon judged then; so
// verdicts that never existed count too. The server evaluates every part of a rule that reads only scraped series, and our engine the
// rest: verdicts, `for` and `keep_firing_for`.

import { ofInstance } from '../../alerts/condition-rule.ts'
import type { Rule } from '../../alerts/rule.ts'
import { groupsOf } from '../../alerts/rules.ts'
import { DRILL } from '../../alerts/self.ts'
import type { Thresholds } from '../../alerts/thresholds.ts'
import { createEngine, type Engine } from '../../firing/engine.ts'
import { createReplicas, judgedBy, type Replicas, VERDICT } from '../../firing/replicas.ts'
import { entryOf } from '../../lib/entry.ts'
import { splitPromql } from '../../promql/split.ts'

export interface Plan {
  /** They judge with each set of limits. */
  replicas: Replicas
  /** The name under which `asked` has the targets that did not answer: their last verdicts hold. */
  down: string
  /** One for each set of limits. */
  engines: readonly Engine[]
  /** What the server is asked for about what the daemon judged, by metric. */
  judged: ReadonlyMap<string, string>
  /** What the server evaluates, by the metric under which the engines read it. */
  asked: ReadonlyMap<string, string>
}

/** The watchdog and the drill fire to prove that alerts arrive. */
export const isJudged = ({ alert, severity }: Pick<Rule, 'alert' | 'severity'>) =>
  severity !== 'none' && alert !== DRILL

export const judgedRules = (job: string, limits: Thresholds): readonly Rule[] =>
  groupsOf({ job, limits }).flatMap(({ rules }) => rules.filter(isJudged))

/** `isChosen` leaves alerts out, and what nothing else reads. */
export function planOf(job: string, sets: readonly Thresholds[], isChosen?: (alert: string) => boolean): Plan {
  // Sets of limits share the parts that are equal.
  const names = new Map<string, string>()
  const nameOf = (part: string) => entryOf(names, part, () => `server:${names.size}`)
  const split = (expr: string) => splitPromql(expr, (metric) => metric !== VERDICT, nameOf)
  const splitRule = (rule: Rule): Rule => ({ ...rule, expr: split(ofInstance(rule.expr)) })
  const engines = sets.map((limits) => {
    const rules = judgedRules(job, limits).filter(({ alert }) => isChosen?.(alert) ?? true)
    return createEngine(rules.map(splitRule))
  })
  return {
    replicas: createReplicas(sets, isChosen),
    down: nameOf('up == 0'),
    engines,
    judged: new Map([...judgedBy(isChosen)].map((metric) => [metric, `${metric}{job="${job}"}`])),
    asked: new Map([...names].map(([part, name]) => [name, part])),
  }
}

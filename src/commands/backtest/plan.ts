// What is asked of the server and what we evaluate: the server evaluates every part of a rule that reads only scraped series, our
// engine the rest: recorded series, ALERTS, `for` and `keep_firing_for`. So recorded series that never existed count too.

import { recorded } from '../../alerts/recorded.ts'
import type { Rule } from '../../alerts/rule.ts'
import { groupsOf } from '../../alerts/rules.ts'
import { DRILL } from '../../alerts/self.ts'
import type { Thresholds } from '../../alerts/thresholds.ts'
import { createEngine, type Engine } from '../../firing/engine.ts'
import { entryOf } from '../../lib/entry.ts'
import { splitPromql } from '../../promql/split.ts'

export interface Plan {
  /** One for each set of limits. */
  engines: readonly Engine[]
  /** What the server evaluates, by the metric under which the engines read it. */
  asked: ReadonlyMap<string, string>
}

/** The watchdog and the drill fire to prove that alerts arrive. */
export const isJudged = ({ alert, severity }: Pick<Rule, 'alert' | 'severity'>) =>
  severity !== 'none' && alert !== DRILL

export const judgedRules = (job: string, limits: Thresholds): readonly Rule[] =>
  groupsOf({ job, limits }).flatMap(({ rules }) => rules.filter(isJudged))

export function planOf(job: string, sets: readonly Thresholds[]): Plan {
  // Sets of limits share the parts that are equal.
  const names = new Map<string, string>()
  const nameOf = (part: string) => entryOf(names, part, () => `server:${names.size}`)
  const engines = sets.map((limits) => {
    const recording = recorded(limits)
    const own = new Set(['ALERTS', ...recording.map(({ record }) => record)])
    const split = <One extends { expr: string }>(one: One): One => ({
      ...one,
      expr: splitPromql(one.expr, (metric) => !own.has(metric), nameOf),
    })
    return createEngine({ recording: recording.map(split), alerting: judgedRules(job, limits).map(split) })
  })
  return { engines, asked: new Map([...names].map(([part, name]) => [name, part])) }
}

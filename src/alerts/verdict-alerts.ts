// What Prometheus makes of the verdicts: the alerts that are pending, firing or held. A condition's rule is one line, so it is easy to
// follow here, and a page shows what fires without asking.

import { type Condition, nameOf } from '../conditions/condition.ts'
import { conditions } from '../conditions/index.ts'
import { labelKey, sortedLabels } from '../lib/label-text.ts'
import { labelsOf, ruleOf } from './condition-rule.ts'
import type { Rule } from './rule.ts'
import { advance, type Found, type Instances } from './states.ts'

/** The verdicts of a condition, with the labels of the targets that judged. */
type VerdictsOf = (condition: string) => readonly Found[]

export interface Alerting {
  rule: Rule
  /** Whether each instance of stakewatch has its own. */
  isByInstance: boolean
  instances: Instances
}

/** `others` are rules that read no verdict. */
export function createVerdictAlerts(chosen: readonly Condition[] = conditions, others: readonly Rule[] = []) {
  const all = chosen.map((condition) => ({
    name: nameOf(condition),
    rule: ruleOf(condition),
    labels: ['job', ...labelsOf(condition)],
    isByInstance: 'instance' in condition.judge,
    instances: new Map() as Instances,
  }))
  const rest = others.map((rule) => ({ rule, isByInstance: false, instances: new Map() as Instances }))
  return {
    /** `now` is in milliseconds since the epoch. */
    take(verdictsOf: VerdictsOf, now: number, { waits, results }: Round = {}): void {
      for (const one of all) {
        const wait = waits?.get(one.rule.alert) ?? one.rule.for
        const found = greatest(verdictsOf(one.name), one.labels)
        one.instances = advance({ ...one.rule, for: wait }, one.instances, found, now)
      }
      for (const one of rest) one.instances = advance(one.rule, one.instances, results?.(one.rule.alert) ?? [], now)
    },
    alerting: (): readonly Alerting[] => [...all, ...rest],
    clear(): void {
      for (const one of [...all, ...rest]) one.instances = new Map()
    },
  }
}

interface Round {
  /** Other times before an alert fires, by alert (seconds). */
  waits?: ReadonlyMap<string, number> | undefined
  /** What the other rules found, by alert. */
  results?: ((alert: string) => readonly Found[]) | undefined
}

/** Since when neither of them has had data. */
const latestOf = ({ unknownSince: a }: Found, { unknownSince: b }: Found) =>
  a === undefined || b === undefined ? undefined : Math.max(a, b)

/** The greatest value by these labels: one replica that sees the problem is enough. */
function greatest(verdicts: readonly Found[], names: readonly string[]): readonly Found[] {
  if (verdicts.length === 0) return verdicts
  const found = new Map<string, Found>()
  for (const one of verdicts) {
    const labels = sortedLabels(names.map((name) => [name, one.labels[name] ?? ''] as const))
    const key = labelKey(labels)
    const before = found.get(key)
    const worse = before === undefined || one.value > before.value ? one : before
    found.set(key, { ...worse, labels, unknownSince: latestOf(before ?? one, one) })
  }
  return [...found.values()]
}

// What the rules read is sampled, and what the conditions read is polled.

import type { SyntaxNode } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'
import { heldValue, ofInstance } from '../../src/alerts/condition-rule.ts'
import { groupsOf, rulesYaml, SERIES_MISSING } from '../../src/alerts/rules.ts'
import { conditions } from '../../src/conditions/index.ts'
import { metricsReadBy } from '../../src/conditions/judge.ts'
import { collectors } from '../../src/collectors/index.ts'
import { labelsOf } from '../../src/metrics/catalogue.ts'
import { onlyAlerts } from '../alerts.ts'

const rules = groupsOf().flatMap((group) => group.rules)
/** A play keeps only what some rule reads, so that one of them would find all the rest missing. */
export const isPlayed = (alert: string) => alert !== SERIES_MISSING
/** The file of rules without it: promtool would look through all series for it in each minute. */
export const playedRules = onlyAlerts(rulesYaml(), new Set(rules.map(({ alert }) => alert).filter(isPlayed)))

export const ruleOf = (alert: string) => rules.find((rule) => rule.alert === alert)!

/** Of each metric: what reads it. */
const selectors = new Map<string, Selector[]>()

interface Selector {
  matchers: readonly Matcher[]
  /** The one value that it looks for: whatever has another one, or none, is the same to it. */
  value?: number
}

interface Matcher {
  label: string
  /** It names one value. */
  isExact: boolean
  fits: (value: string) => boolean
}

for (const { expr: written, description } of [
  ...rules.filter(({ alert }) => isPlayed(alert)),
  { expr: heldValue.expr, description: '' },
]) {
  const expr = ofInstance(written)
  // A text looks up the series of its own object.
  for (const [metric] of description.matchAll(/\bstakewatch_\w+(?=\{)/g)) note(metric, { matchers: [] })
  parser.parse(expr).iterate({
    enter({ name, node }) {
      if (name !== 'VectorSelector') return
      const text = (of: { from: number; to: number }) => expr.slice(of.from, of.to)
      const metric = text(node.getChild('Identifier')!)
      const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher').map(text) ?? []
      const value = valueFor(node, metric, text)
      note(metric, { matchers: matchers.map(matcherOf), ...(value !== undefined && { value }) })
    },
  })
}

function note(metric: string, selector: Selector): void {
  selectors.set(metric, [...(selectors.get(metric) ?? []), selector])
}

/** The 0 of `selector == 0`, also when the greatest over several replicas is compared: here there is one. */
function valueFor(selector: SyntaxNode, metric: string, text: (of: SyntaxNode) => string): number | undefined {
  let side = selector
  while (side.parent?.name === 'FunctionCallBody' && side.parent.parent?.name === 'AggregateExpr') {
    side = side.parent.parent
    const [, kept] = /^max by \(([^)]*)\)/.exec(text(side)) ?? []
    // Only replicas are joined: their series differ in no label of the metric.
    const isOfReplicas =
      kept !== undefined && ['job', ...labelsOf(metric)].every((label) => kept.split(', ').includes(label))
    if (!isOfReplicas) return undefined
  }
  const number = side.parent?.getChild('Eql') && side.parent.getChild('NumberDurationLiteral')
  return number ? Number(text(number)) : undefined
}

function matcherOf(text: string): Matcher {
  const [, label = '', operator = '', value = ''] = /^(\w+)\s*(=~|!~|!=|=)\s*"(.*)"$/.exec(text)!
  const pattern = new RegExp(`^(?:${value})$`)
  const isThat = (one: string) => (operator.endsWith('~') ? pattern.test(one) : one === value)
  return { label, isExact: operator === '=', fits: (one) => isThat(one) === !operator.startsWith('!') }
}

/** Those that read a series; `labels` as they stand in the exposition. */
function readersOf(metric: string, labels: string): readonly Selector[] {
  const values = new Map(
    [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', value = '']) => [label, value]),
  )
  return (selectors.get(metric) ?? []).filter((one) => isWanted(one, values))
}

const isWanted = ({ matchers }: Selector, values: ReadonlyMap<string, string>) =>
  matchers.every(({ label, fits }) => label === 'job' || fits(values.get(label) ?? ''))

export const isRead = (metric: string, labels: string) => readersOf(metric, labels).length > 0

/** Whether it makes a difference to any rule that the series was there. */
export const matters = (metric: string, labels: string, values: readonly (number | undefined)[]) =>
  readersOf(metric, labels).some(({ value }) => value === undefined || values.includes(value))

const judged = metricsReadBy(conditions)
/** A collector of which no condition reads anything could only fail. */
export const needed = collectors.filter(({ metrics }) => metrics.some(({ name }) => judged.has(name)))

// What the rules read: only that is sampled, and only what tells it is polled.

import { parser } from '@prometheus-io/lezer-promql'
import { recorded } from '../../src/alerts/recorded.ts'
import { groupsOf } from '../../src/alerts/rules.ts'
import { collectors } from '../../src/collectors/index.ts'

const rules = groupsOf().flatMap((group) => group.rules)

export const severityOf = (alert: string) => rules.find((rule) => rule.alert === alert)!.severity

/** Of each metric: the matchers of the selectors that read it, one of which a series has to satisfy. */
const selectors = new Map<string, (readonly Matcher[])[]>()

interface Matcher {
  label: string
  fits: (value: string) => boolean
}

for (const { expr } of [...rules, ...recorded]) {
  parser.parse(expr).iterate({
    enter({ name, node }) {
      if (name !== 'VectorSelector') return
      const text = (of: { from: number; to: number }) => expr.slice(of.from, of.to)
      const metric = text(node.getChild('Identifier')!)
      const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher').map(text) ?? []
      selectors.set(metric, [...(selectors.get(metric) ?? []), matchers.map(matcherOf)])
    },
  })
}

function matcherOf(text: string): Matcher {
  const [, label = '', operator = '', value = ''] = /^(\w+)\s*(=~|!~|!=|=)\s*"(.*)"$/.exec(text)!
  const pattern = new RegExp(`^(?:${value})$`)
  const isThat = (one: string) => (operator.endsWith('~') ? pattern.test(one) : one === value)
  return { label, fits: (one) => isThat(one) === !operator.startsWith('!') }
}

/** `labels` as they stand in the exposition. */
export function isRead(metric: string, labels: string): boolean {
  const among = selectors.get(metric)
  if (!among) return false
  if (among.some((matchers) => matchers.length === 0)) return true
  const values = new Map([...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, value]) => [label, value]))
  return among.some((matchers) => matchers.every(({ label, fits }) => label === 'job' || fits(values.get(label) ?? '')))
}

/** A collector of which no rule reads anything could only fail. */
export const needed = collectors.filter(({ metrics }) => metrics.some(({ name }) => selectors.has(name)))

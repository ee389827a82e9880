// The rule of a condition: the daemon has judged, so the rule only reads the verdict.

import { kinds, type Kind } from '../conditions/board.ts'
import { type Condition, nameOf } from '../conditions/condition.ts'
import { withQueries } from '../conditions/details.ts'
import { metricsIn } from '../conditions/view.ts'
import { conditionEnded } from '../self/judge-metrics.ts'
import type { Rule } from './rule.ts'

/** What Prometheus calls an instance of stakewatch: the verdict itself has no label that would. */
const TARGET = ['instance', 'pod']

/** The labels of the object and of its parts. */
export function labelsOf({ judge, parts = [] }: Pick<Condition, 'judge' | 'parts'>): string[] {
  const of = (Object.keys(judge) as Kind[]).flatMap((kind) =>
    kind === 'validator' ? [...kinds.validator, 'validator'] : kind === 'instance' ? TARGET : kinds[kind],
  )
  return [...new Set<string>([...of, ...parts])]
}

const VALUE = 'stakewatch_condition_value'
export const DETAIL = 'stakewatch_condition_detail'
export const UNKNOWN_SINCE = 'stakewatch_condition_unknown_since_timestamp_seconds'
/**
 * The name of the one recording rule: while an instance does not answer, its last verdicts hold, so that neither a crash loop nor an
 * outage of stakewatch resolves an alert or begins its `for` again. A replica that has seen the problem end ends it for both.
 */
export const HELD_VALUE = `instance:${VALUE}:held`
export const heldValue = {
  record: HELD_VALUE,
  expr: `${VALUE} or ${HELD_VALUE} and on (job, instance) up == 0 unless on (job, ${conditionEnded.labels.join(', ')}) ${conditionEnded.name}`,
}
/** The same for an instance that evaluates its own rules: it answers. */
export const ofInstance = (expr: string) => expr.replaceAll(HELD_VALUE, VALUE)

/** In a title, of a validator without a name of its own the beginning of its node id: a telephone would cut off what is wrong. */
const VALIDATOR = /\{\{ (\$labels\.validator|or [^}]*\$labels\.validator[^}]*) \}\}/g
const SHORTENED = '{{ reReplaceAll "^(NodeID-.{4}).{20,}$" "$$1…" ($1) }}'

/** Of a duration that Prometheus prints as `1d 11h 58m 12s` or `45.12s` the units that matter, and of a time no fractions. */
const FORMS = [
  [/humanizeDuration(?: \$value)?/g, '$& | reReplaceAll "(^-?[0-9]+[dh] [0-9]+[hm]) .*$|[.][0-9]+(m?s)$" "$$1$$2"'],
  [/humanizeTimestamp/g, '$& | reReplaceAll "[.][0-9]+ " " "'],
] as const
const trimmed = (text: string) => FORMS.reduce((given, [verb, form]) => given.replaceAll(verb, form), text)

/** All replicas judge: one that sees the problem is enough, and their target labels go. */
export function ruleOf(condition: Condition): Rule {
  const labels = labelsOf(condition)
  const selector = `condition="${nameOf(condition)}"`
  const { heldBy, refutedBy, title, description, action } = condition
  const matched = (...more: string[]) => [selector, ...more, ...labels.map((label) => `${label}=%q`)].join(',')
  /** A query for what was published with the verdict. */
  const queryFor = (expr: string) =>
    `printf ${JSON.stringify(expr)} ${labels.map((label) => `$labels.${label}`).join(' ')} | query`
  const textOf = (text: string) =>
    withQueries(trimmed(text), (name) => queryFor(`${DETAIL}{${matched(`detail="${name}"`)}}`))
  const on = labels.join(', ')
  /** Since when no replica has had data: none while one of them sees the problem. */
  const unknownSince = `max by (${on}) (${UNKNOWN_SINCE}{${matched()}}) unless on (${on}) (${VALUE}{${selector}} unless on (job, instance, ${on}) ${UNKNOWN_SINCE}{${selector}})`
  return {
    ...condition,
    title: trimmed(title.replaceAll(VALIDATOR, SHORTENED)),
    description: textOf(description),
    action: textOf(action),
    reads: metricsIn(condition.reads),
    ...(condition.details && { readsForText: condition.details.reads }),
    condition: nameOf(condition),
    expr: `max by (${['job', ...labels].join(', ')}) (${HELD_VALUE}{${selector}})${refutedBy === undefined ? '' : ` unless on (${refutedBy.on.join(', ')}) (${refutedBy.series})`}`,
    ...(heldBy && {
      description: `{{ with ${queryFor(unknownSince)} }}There has been no data since {{ . | first | value | ${trimmed('humanizeTimestamp')} }}, so the alert stays. Last known: {{ end }}${textOf(description)}`,
    }),
  }
}

// Unknown is not resolved: what keeps an alert firing while nothing reports whether its problem is still there.

import type { Group, Recorded, Rule } from './rule.ts'

const SINCE = 'alert:stakewatch_unknown:since'
const COMPLETE = 'job:stakewatch_shards:complete'

/** Every shard answers: what is missing now is not configured. */
export const complete: Recorded = {
  record: COMPLETE,
  expr: `count by (job) (count by (job, shard_ordinal) (stakewatch_shard_ordinal)) == on (job) max by (job) (stakewatch_shards)`,
}

/** Since when the inputs of a firing alert have been missing (Unix time), with the labels of the alert. */
export function unknownSince(groups: readonly Group[]): Recorded[] {
  return groups
    .flatMap(({ rules }) => rules)
    .flatMap(({ alert, known }) => {
      if (!known) return []
      const firing = `max without (alertname, alertstate, severity) (ALERTS{alertname="${alert}",alertstate="firing"})`
      return {
        record: SINCE,
        labels: { alert },
        expr: `(
  ${since(alert)} and ${firing}
  or 0 * ${firing} + time()
)
  unless on (${known.labels}) (${known.by})${known.ended === undefined ? '' : `\n  unless on (${known.ended.labels}) ${known.ended.series}`}
  and on (${known.of.labels}) (${known.of.series} or ${firing} unless on (job) ${COMPLETE})`,
      }
    })
}

const since = (alert: string) => `max without (alert) (${SINCE}{alert="${alert}"})`

/** No other value of an alert is as great as a time of these decades. */
const IS_TIME = 'gt $value 1e9'

/** The rule as Prometheus evaluates it: it goes on with the time since which its inputs have been missing. */
export function withUnknown(rule: Rule): Rule {
  if (!rule.known) return rule
  const { alert, expr, summary, description } = rule
  return {
    ...rule,
    expr: `(${expr})\nor ${since(alert)}`,
    description: `{{ if ${IS_TIME} }}${summary} Last seen for ${rule.known.name} on {{ $labels.network }}. There has been no data since {{ humanizeTimestamp $value }}, so the alert stays.{{ else }}${description}{{ end }}`,
  }
}

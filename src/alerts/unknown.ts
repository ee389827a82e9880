// Unknown is not resolved: these expressions keep an alert firing while its data is missing.

import type { Group, Recorded, Rule } from './rule.ts'

const SINCE = 'alert:stakewatch_unknown:since'
const COMPLETE = 'job:stakewatch_shards:complete'

/** Jobs whose shards all answer: then a missing series means that the thing is no longer configured. */
export const complete: Recorded = {
  record: COMPLETE,
  expr: `count by (job) (count by (job, shard_ordinal) (stakewatch_shard_ordinal)) == on (job) max by (job) (stakewatch_shards)`,
}

/** Unix time since when the data of a firing alert has been missing, with the labels of the alert. */
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

/** A value above this is a Unix time: no other value of an alert is as large. */
const IS_TIME = 'gt $value 1e9'

/** Extends the rule so that it keeps firing, with the time since when its data has been missing as its value. */
export function withUnknown(rule: Rule): Rule {
  if (!rule.known) return rule
  const { alert, expr, summary, description } = rule
  return {
    ...rule,
    expr: `(${expr})\nor ${since(alert)}`,
    description: `{{ if ${IS_TIME} }}${summary} Last seen for ${rule.known.name} on {{ $labels.network }}. There has been no data since {{ humanizeTimestamp $value }}, so the alert stays.{{ else }}${description}{{ end }}`,
  }
}

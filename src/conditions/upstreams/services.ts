// Answers that are out of date, or that stakewatch rejects.

import { type Condition, NOT_APPLICABLE, OK, problem } from '../condition.ts'
import { BEHIND_READS, isBehind, isPrimaryListOld, LIST_READS } from '../heads.ts'
import { isForeign } from '../nodes.ts'
import { MINUTE } from '../../lib/seconds.ts'
import { lastSuccess, refusals, REFUSED_READS } from '../upstreams.ts'
import type { View } from '../view.ts'

const AVERAGES = 'stakewatch_chain_average_tps_last_run_timestamp_seconds'
const LIST = 'stakewatch_l1_listed_timestamp_seconds'

/** Answers of a lagging service are rejected until three runs agree; there is a condition about the lag. */
const isExcused = (upstream: View) =>
  upstream.fact(isForeign) || (upstream.labels['source'] === 'data-api' && upstream.of('network').fact(isBehind))

export const answersRefused: Condition = {
  alert: 'StakewatchAnswersRefused',
  panel: 'self: Refused answers',
  severity: 'warning',
  for: 15 * MINUTE,
  reads: [...REFUSED_READS, ...BEHIND_READS],
  judge: {
    node(view) {
      const refused = refusals(view)
      return refused > 0 && !isExcused(view) ? problem(refused) : OK
    },
  },
  title: '{{ $labels.source }} sends unusable answers',
  summary: 'An upstream keeps sending answers that stakewatch rejects.',
  action: 'Ask {{ $labels.source }} twice with `stakewatch query`, and compare the answers.',
  description:
    '{{ $labels.source }} on {{ $labels.network }} has been sending answers for 15 minutes that are older than earlier ones or cannot be true. stakewatch does not use them.',
}

/** How old the time that a service states was when the collector read it. */
function ageWhenRead(view: View, metric: string, collector: string, target: string): number | undefined {
  const [read, stated] = [lastSuccess(view.of('network'), collector, target), view.value(metric)]
  return read === undefined || stated === undefined ? undefined : read - stated
}

/** Balances of L1 validators come from P-Chain blocks, so they cannot be newer while the list of that chain is old. */
const isListExcused = (network: View) => network.fact(isBehind) || network.fact(isPrimaryListOld)

export const dataStale: Condition = {
  alert: 'StakewatchDataStale',
  panel: 'self: Collectors',
  severity: 'warning',
  for: 10 * MINUTE,
  reads: [AVERAGES, LIST, ...LIST_READS],
  judge: {
    chain(view) {
      const age = ageWhenRead(view, AVERAGES, 'avg-tps', view.labels['chain']!)
      if (age === undefined) return NOT_APPLICABLE
      return age > view.limits.averageStale ? problem(age) : OK
    },
    subnet(view) {
      const age = ageWhenRead(view, LIST, 'listed-l1s', view.labels['subnet']!)
      if (age === undefined) return NOT_APPLICABLE
      return age > view.limits.listStale && !isListExcused(view.of('network')) ? problem(age) : OK
    },
  },
  title: '{{ or $labels.chain $labels.subnet }}: service data is old',
  summary: 'A service answers with data that is out of date.',
  action: 'Report the old data of {{ or $labels.chain $labels.subnet }} to the service.',
  description:
    'The {{ if $labels.chain }}averages of chain {{ $labels.chain }} from the metrics service{{ else }}validator list of L1 {{ $labels.subnet }} from the data service{{ end }} on {{ $labels.network }} had not been updated for {{ humanizeDuration $value }} when stakewatch read it.',
}

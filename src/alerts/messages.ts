// Alerts about messages between chains: undelivered ones, and validators that no longer sign them.

import { awayOf, DATA_SERVICE, failingOf } from './causes.ts'
import { BEHIND } from './heads.ts'
import { type Group, HOUR, latest, lastAsked, MINUTE } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

/** Configured routes or probes without series although their collector succeeds. */
const withoutData = (collector: string, label: 'route' | 'probe', series: string) =>
  `max by (job, network, ${label}) (label_replace(stakewatch_collector_interval_seconds{collector="${collector}"}, "${label}", "$1", "target", "(.+)"))
    unless on (job, network, ${label}) ${series}
    unless on (job, network, ${label}) ${failingOf(label, '(.+)')}`

export const messages = (limits: Thresholds): Group => ({
  name: 'stakewatch-messages',
  rules: [
    {
      alert: 'StakewatchIcmStuck',
      panel: 'messages: Routes',
      severity: 'warning',
      // An abandoned message counts as 1 for a day.
      // A data service that is behind has not seen the delivery either.
      expr: `${lastAsked('icm', 'route')} - ${latest('stakewatch_icm_oldest_pending_timestamp_seconds')} > ${limits.messagePending}
  unless on (job, network) ${BEHIND}
  or clamp_max(${latest('increase(stakewatch_icm_abandoned_total[1d])')}, 1) > 0`,
      for: 10 * MINUTE,
      summary: 'A message between chains is not being delivered.',
      description:
        '{{ if gt $value 1.0 }}The oldest undelivered message on route {{ $labels.route }} on {{ $labels.network }} was sent {{ humanizeDuration $value }} ago.{{ else }}A message on route {{ $labels.route }} on {{ $labels.network }} was not delivered within its time (icm.lookback). stakewatch gave up on it within the last day.{{ end }}',
    },
    {
      alert: 'StakewatchSignaturesMissing',
      panel: 'messages: Signatures of validators',
      severity: 'warning',
      expr: `${latest('stakewatch_signature_aggregation_success')} == 0`,
      // Probes run hourly, and a single one may fail by chance.
      for: 90 * MINUTE,
      summary: 'Too few validators sign the message of a signature probe.',
      description:
        'Probe {{ $labels.probe }} on {{ $labels.network }} gets too few signatures. Messages from that subnet to other chains are not signed either.',
    },
    {
      alert: 'StakewatchMessagesUnknown',
      panel: 'messages: Messages by state',
      severity: 'warning',
      expr: `(
  ${withoutData('icm', 'route', 'stakewatch_icm_messages')}
  or ${withoutData('signature-probe', 'probe', 'stakewatch_signature_aggregation_success')}
)
  unless on (job, network) ${awayOf(DATA_SERVICE)}`,
      // Probes run hourly.
      for: HOUR,
      summary: 'There is no data about a configured message route or signature probe.',
      description:
        'The data service has answered for an hour but reported nothing about {{ if $labels.route }}route {{ $labels.route }}{{ else }}probe {{ $labels.probe }}{{ end }} on {{ $labels.network }}. Check that it supports the chains. No other alert about it can fire.',
    },
  ],
})

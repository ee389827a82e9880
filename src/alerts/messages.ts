// Alerts about messages between chains: those that hang, and validators that no longer sign them.

import { awayOf, DATA_SERVICE, failingOf } from './causes.ts'
import { BEHIND } from './heads.ts'
import { type Group, HOLD, HOUR, latest, lastAsked, MINUTE } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

/** Routes or probes that a collector is configured for and asks about without a failure, and that have no series. */
const withoutData = (collector: string, label: 'route' | 'probe', series: string) =>
  `max by (job, network, ${label}) (label_replace(stakewatch_collector_interval_seconds{collector="${collector}"}, "${label}", "$1", "target", "(.+)"))
    unless on (job, network, ${label}) ${series}
    unless on (job, network, ${label}) ${failingOf(label, '(.+)')}`

export const messages = (limits: Thresholds): Group => ({
  name: 'stakewatch-messages',
  rules: [
    {
      alert: 'StakewatchIcmStuck',
      severity: 'warning',
      // One that was given up on is not delivered: for a day it says so, as 1.
      // A service that is behind has not seen the delivery either.
      expr: `${lastAsked('icm', 'route')} - ${latest('stakewatch_icm_oldest_pending_timestamp_seconds')} > ${limits.messagePending}
  unless on (job, network) ${BEHIND}
  or clamp_max(${latest('increase(stakewatch_icm_abandoned_total[1d])')}, 1) > 0`,
      for: 10 * MINUTE,
      hold: HOLD,
      summary: 'A message between chains is not delivered.',
      description:
        '{{ if gt $value 1.0 }}The oldest message on route {{ $labels.route }} of {{ $labels.network }} that is not delivered was sent {{ humanizeDuration $value }} ago.{{ else }}Within the last day a message on route {{ $labels.route }} of {{ $labels.network }} was still not delivered when the time for it (icm.lookback) was over.{{ end }}',
    },
    {
      alert: 'StakewatchSignaturesMissing',
      severity: 'warning',
      expr: `${latest('stakewatch_signature_aggregation_success')} == 0`,
      // Probes are an hour apart, and one may be unlucky.
      for: 90 * MINUTE,
      hold: HOLD,
      summary: 'Too few validators sign the message of a probe.',
      description:
        'Probe {{ $labels.probe }} of {{ $labels.network }} finds too few signatures: messages of that subnet to other chains are not signed either.',
    },
    {
      alert: 'StakewatchMessagesUnknown',
      severity: 'warning',
      expr: `(
  ${withoutData('icm', 'route', 'stakewatch_icm_messages')}
  or ${withoutData('signature-probe', 'probe', 'stakewatch_signature_aggregation_success')}
)
  unless on (job, network) ${awayOf(DATA_SERVICE)}`,
      // Probes are an hour apart, and a failure of one is the news meanwhile.
      for: HOUR,
      hold: HOLD,
      summary: 'Nothing is known about a configured message route or signature probe.',
      description:
        'For an hour the data service has answered and reported nothing about {{ if $labels.route }}route {{ $labels.route }}{{ else }}probe {{ $labels.probe }}{{ end }} of {{ $labels.network }}: does it have the chains? No other alert about it can fire.',
    },
  ],
})

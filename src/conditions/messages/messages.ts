// Messages between chains: undelivered ones, and validators that no longer sign them.

import {
  type Condition,
  NOT_APPLICABLE,
  OK,
  onlyParts,
  type Part,
  problem,
  unknown,
  type Verdict,
} from '../condition.ts'
import { BEHIND_READS, isBehind } from '../heads.ts'
import { INTERVAL, runsOf } from '../runs.ts'
import { DAY, HOUR, MINUTE } from '../../lib/seconds.ts'
import { growth } from '../track.ts'
import { AWAY_READS, FAILING_READS, isDataServiceAway, isFailing, lastSuccess } from '../upstreams.ts'
import type { Remembered, View } from '../view.ts'

const OLDEST = 'stakewatch_icm_oldest_pending_timestamp_seconds'
const ABANDONED = 'stakewatch_icm_abandoned_total'
const MESSAGES = 'stakewatch_icm_messages'
const SIGNED = 'stakewatch_signature_aggregation_success'

const abandoned: Remembered = {
  name: 'icm_abandoned',
  of: 'network',
  for: DAY,
  read: (network) => new Map(network.all(ABANDONED).map(({ labels, value }) => [labels['route']!, value])),
}

/** Since when the oldest message of the route has been pending, or 1 if one was given up on within the day. */
function routeVerdict(network: View, route: string): Verdict {
  const oldest = network.value(OLDEST, { route })
  const asked = lastSuccess(network, 'icm', route)
  if (oldest !== undefined && asked !== undefined && asked - oldest > network.limits.messagePending) {
    // A data service that is behind has not seen the delivery either.
    if (!network.fact(isBehind)) return problem(asked - oldest)
  }
  const lost = growth(network.track(abandoned, route), network.now, DAY) ?? 0
  return lost > 0 ? problem(Math.min(lost, 1)) : OK
}

export const icmStuck: Condition = {
  alert: 'StakewatchIcmStuck',
  panel: 'messages: Routes',
  severity: 'warning',
  for: 10 * MINUTE,
  parts: ['route'],
  reads: [OLDEST, ABANDONED, abandoned, ...BEHIND_READS],
  judge: {
    network(network) {
      const routes = new Set([...network.all(OLDEST), ...network.all(ABANDONED)].map(({ labels }) => labels['route']!))
      return onlyParts([...routes].map((route) => ({ labels: { route }, verdict: routeVerdict(network, route) })))
    },
  },
  title: '{{ $labels.route }}: message not delivered',
  summary: 'A message between chains is not being delivered.',
  action: 'Check that the relayer of {{ $labels.route }} runs and can pay on the destination chain.',
  description:
    '{{ if gt $value 1.0 }}The oldest undelivered message on route {{ $labels.route }} on {{ $labels.network }} was sent {{ humanizeDuration $value }} ago.{{ else }}A message on route {{ $labels.route }} on {{ $labels.network }} was not delivered within its time (icm.lookback). stakewatch gave up on it within the last day.{{ end }}',
}

export const signaturesMissing: Condition = {
  alert: 'StakewatchSignaturesMissing',
  panel: 'messages: Signatures of validators',
  severity: 'warning',
  // Probes run hourly, and a single one may fail by chance.
  for: 90 * MINUTE,
  parts: ['probe'],
  reads: [SIGNED],
  judge: {
    network: (network) =>
      onlyParts(
        network.all(SIGNED).map(({ labels, value }) => ({
          labels: { probe: labels['probe']! },
          verdict: value === 0 ? problem(0) : OK,
        })),
      ),
  },
  title: '{{ $labels.probe }}: too few signatures',
  summary: 'Too few validators sign the message of a signature probe.',
  action: 'Bring back the heaviest validators of the subnet of {{ $labels.probe }} that are away.',
  description:
    'Probe {{ $labels.probe }} on {{ $labels.network }} gets too few signatures. Messages from that subnet to other chains are not signed either.',
}

const configured = [
  { label: 'route', runs: runsOf('icm'), metric: MESSAGES },
  { label: 'probe', runs: runsOf('signature-probe'), metric: SIGNED },
] as const

/** Configured routes or probes, and whether they have series. */
function reported(network: View): Part[] {
  return configured.flatMap(({ label, runs, metric }) => {
    const seen = new Set(network.all(metric).map(({ labels }) => labels[label]))
    return network.fact(runs).flatMap((run) => {
      const [target, interval] = [run.labels['target']!, run.value(INTERVAL)]
      if (interval === undefined) return []
      const verdict = seen.has(target)
        ? OK
        : isFailing(network, (one) => one === target)
          ? unknown('its collector fails')
          : problem(interval)
      return { labels: { [label]: target }, verdict }
    })
  })
}

export const messagesUnknown: Condition = {
  alert: 'StakewatchMessagesUnknown',
  panel: 'messages: Messages by state',
  severity: 'warning',
  // Probes run hourly.
  for: HOUR,
  parts: ['route', 'probe'],
  reads: [MESSAGES, SIGNED, INTERVAL, ...FAILING_READS, ...AWAY_READS],
  judge: {
    network(network) {
      const parts = reported(network)
      if (parts.length === 0) return NOT_APPLICABLE
      return network.fact(isDataServiceAway) ? unknown('the data service is away') : onlyParts(parts)
    },
  },
  title: '{{ or $labels.route $labels.probe }}: no data on messages',
  summary: 'There is no data about a configured message route or signature probe.',
  action: 'Compare the ids of {{ or $labels.route $labels.probe }} with the chains that the data service lists.',
  description:
    'The data service answers but reports nothing about {{ if $labels.route }}route {{ $labels.route }}{{ else }}probe {{ $labels.probe }}{{ end }} on {{ $labels.network }}. Check that it supports the chains. No other alert about it can fire.',
}

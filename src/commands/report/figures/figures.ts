// The report from what Prometheus answered. Everything in this folder is a pure function. Times in seconds since the epoch; amounts
// in the smallest unit of the token. What is not known is undefined, and never 0.

import { WATCHDOG } from '../../../alerts/self.ts'
import type { Labels } from '../../../lib/label-text.ts'
import type { Answers } from '../ask.ts'
import { isComplete, type Month } from '../month.ts'
import { firstOf, summaries, type ValidatorId, validatorReport } from './validators.ts'
import { type Answer, countsBy, having, knownWith, totalOf } from './series.ts'
import { minutesIn, minutesOf, observed, spansOf, timelinesOf, timesOf, voteOf } from './timeline.ts'
import { pendingRewards, rounded, tokens } from './values.ts'
import { l1Reports } from './l1s.ts'

function walletReports(answers: Answers, month: Month) {
  const paid = countsBy(answers.rewardTokens, month, ['network', 'address', 'reward_type'])
  const values = countsBy(answers.rewardValue, month, ['network', 'address', 'reward_type', 'currency'])
  const gaps = countsBy(answers.rewardGaps, month, ['network', 'address'])
  const named = [...paid.map(({ labels }) => labels), ...answers.walletPending.series.map(({ labels }) => labels)]
  const wallets = new Map(
    named.map(({ network = '', address = '' }) => [`${network}\0${address}`, { network, address }]),
  )
  return [...wallets.entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, wallet]) => ({
      ...wallet,
      paid: having({ series: paid }, wallet).map(({ labels, rises }) => ({
        type: labels['reward_type'] ?? '',
        tokens: tokens(totalOf(rises)),
        values: having({ series: values }, labels)
          .map((one) => ({ currency: one.labels['currency'] ?? '', amount: rounded(totalOf(one.rises)) }))
          // Rewards without a price are in no value.
          .filter(({ amount }) => amount > 0 || rises.length === 0),
      })),
      pending: pendingRewards(answers.walletPending, wallet, answers.price, month),
      // Counted rewards without a price at the end, which the values lack.
      unpriced: knownWith(answers.rewardsUnpriced, wallet, month).at(-1)?.value,
      since: firstOf({ ...answers.rewardTokens, series: having(answers.rewardTokens, wallet) }, month),
      // How often rewards may have gone uncounted; undefined if none are counted.
      gaps: having({ series: gaps }, wallet).map(({ rises }) => totalOf(rises))[0],
    }))
}

/**
 * Alerts that page, by their name. With a choice of validators, those that are about one of them. Undefined without any alert: the
 * watchdog always fires where the rules are loaded.
 */
function pageReports({ firing }: Answers, month: Month, validators: readonly ValidatorId[], isPartial: boolean) {
  if (firing.series.length === 0) return undefined
  const critical = having(firing, { severity: 'critical' }).filter(
    ({ labels }) => !isPartial || validators.some((one) => isAbout(labels, one)),
  )
  return [...Map.groupBy(critical, ({ labels }) => labels['alertname'] ?? '')]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([alert, some]) => ({
      alert,
      summary: summaries.get(alert) ?? '',
      pages: some
        .flatMap((one) => {
          const spans = spansOf(minutesOf(one, firing.grid, month), month)
          return spans.map((span) => ({ ...span, about: subjectOf(one.labels, validators) }))
        })
        .toSorted((a, b) => a.from - b.from),
    }))
    .filter(({ pages }) => pages.length > 0)
}

/** Seconds in which the watchdog did not fire: the rules were not loaded, or nothing was stored. */
function pagesUnobserved({ firing }: Answers, month: Month): number {
  const watchdogs = timelinesOf(firing, having(firing, { alertname: WATCHDOG }), month)
  return timesOf(voteOf(watchdogs, minutesIn(month))).unobserved
}

const isAbout = ({ network, subnet, node_id }: Labels, one: ValidatorId) =>
  one.nodeId === node_id && one.network === network && (subnet ?? one.subnet) === one.subnet

/** What an alert is about: the most particular of its labels. */
function subjectOf(labels: Labels, validators: readonly ValidatorId[]): string {
  const { network, subnet, node_id } = labels
  const validator = validators.find((one) => isAbout(labels, one))
  const names = [
    validator?.name ?? labels['validator'] ?? node_id,
    ...['source', 'address', 'chain', 'route', 'probe', 'check', 'expectation', 'what', 'window'].map(
      (name) => labels[name],
    ),
  ].filter((name) => name !== undefined)
  const more = validator || names.length === 0 ? subnet : undefined
  return [network, more === 'primary' ? undefined : more, ...names].filter((name) => name !== undefined).join(' / ')
}

/** That something does not exist is an answer. */
const ANSWERS = ['ok', 'unsupported', 'not_found']

/** A sum that falls although its instance did not start again lacks what a reload took away. */
function continued(values: Float64Array, received: Float64Array | undefined): Float64Array {
  let [last, before, gone] = [NaN, NaN, 0]
  return values.map((value, at) => {
    if (Number.isNaN(value)) return NaN
    const now = received?.[at] ?? NaN
    if (value < last) gone = now >= before ? gone + last - value : 0
    ;[last, before] = [value, now]
    return value + gone
  })
}

function upstreamReports(answers: Answers, month: Month) {
  const { upstreamUp, shards, received } = answers
  const targetOf = ({ job = '', instance = '' }: Labels) => `${job}\n${instance}`
  const receivedBy = new Map(received.series.map(({ labels, values }) => [targetOf(labels), values]))
  const ordinals = new Map(shards.series.map(({ labels }) => [targetOf(labels), labels['shard_ordinal'] ?? '']))
  /** The counts of each shard, in which replicas are one. */
  const counts = ({ grid, series }: Answer, ...names: readonly string[]) => {
    const divided = series.map(({ labels, values }) => ({
      labels: { ...labels, shard_ordinal: ordinals.get(targetOf(labels)) ?? '' },
      values: continued(values, receivedBy.get(targetOf(labels))),
    }))
    return countsBy({ grid, series: divided }, month, ['network', 'source', 'shard_ordinal', ...names])
  }
  const sent = counts(answers.requests, 'code')
  const limited = counts(answers.rateLimited)
  return upstreamUp.series
    .map((one) => {
      const { network = '', source = '' } = one.labels
      const isOwn = ({ labels }: { labels: Labels }) => labels['network'] === network && labels['source'] === source
      const sumOf = (some: typeof sent) => some.reduce((sum, { rises }) => sum + totalOf(rises), 0)
      const own = sent.filter(isOwn)
      return {
        network,
        source,
        times: timesOf(observed(minutesOf(one, upstreamUp.grid, month))),
        requests:
          own.length === 0
            ? undefined
            : {
                sent: sumOf(own),
                failed: sumOf(own.filter(({ labels }) => !ANSWERS.includes(labels['code'] ?? ''))),
                rateLimited: sumOf(limited.filter(isOwn)),
              },
      }
    })
    .toSorted((a, b) => (a.network + a.source < b.network + b.source ? -1 : 1))
}

type Kind = 'primary' | 'l1' | 'all' | 'rest'

/** Figures by what they need, and by the kind of validators that have them. */
const needs: readonly { figure: string; metric: string; of: keyof Answers; kind: Kind }[] = [
  { figure: 'connections', metric: 'stakewatch_validator_connected', of: 'connected', kind: 'primary' },
  { figure: 'uptime of the period', metric: 'stakewatch_validator_uptime_ratio', of: 'uptimeRatio', kind: 'primary' },
  { figure: 'downtime left', metric: 'stakewatch_validator_downtime_budget_seconds', of: 'budget', kind: 'primary' },
  { figure: 'stake', metric: 'stakewatch_validator_stake_tokens', of: 'stake', kind: 'primary' },
  { figure: 'delegations', metric: 'stakewatch_validator_delegated_tokens', of: 'delegated', kind: 'primary' },
  { figure: 'periods', metric: 'stakewatch_validator_end_timestamp_seconds', of: 'end', kind: 'primary' },
  { figure: 'ends of renewed periods', metric: 'stakewatch_validator_renewals_total', of: 'renewals', kind: 'primary' },
  {
    figure: 'rewards of periods',
    metric: 'stakewatch_validator_potential_reward_tokens',
    of: 'potentialReward',
    kind: 'primary',
  },
  {
    figure: 'pending rewards by type',
    metric: 'stakewatch_validator_pending_reward_tokens',
    of: 'pendingReward',
    kind: 'primary',
  },
  { figure: 'turns', metric: 'stakewatch_validator_turns_total', of: 'turns', kind: 'primary' },
  { figure: 'price of the token', metric: 'stakewatch_address_native_balance_value', of: 'price', kind: 'primary' },
  { figure: 'connections in L1s', metric: 'stakewatch_l1_validator_connected', of: 'l1Connected', kind: 'l1' },
  { figure: 'balances in L1s', metric: 'stakewatch_l1_validator_balance_tokens', of: 'l1Balance', kind: 'l1' },
  { figure: 'payments in L1s', metric: 'stakewatch_l1_validator_topup_tokens_total', of: 'l1TopUps', kind: 'l1' },
  { figure: 'price in L1s', metric: 'stakewatch_l1_fee_price_tokens_per_second', of: 'l1Price', kind: 'l1' },
  { figure: 'liveness of L1s', metric: 'stakewatch_l1_liveness_margin', of: 'l1Margin', kind: 'l1' },
  { figure: 'pages and causes', metric: 'ALERTS', of: 'firing', kind: 'all' },
  { figure: 'rewards paid to wallets', metric: 'stakewatch_rewards_tokens_total', of: 'rewardTokens', kind: 'rest' },
  { figure: 'value of paid rewards', metric: 'stakewatch_rewards_value_total', of: 'rewardValue', kind: 'rest' },
  { figure: 'upstreams', metric: 'stakewatch_upstream_up', of: 'upstreamUp', kind: 'rest' },
]

function missingOf(answers: Answers, validators: readonly ValidatorId[], isPartial: boolean) {
  const kinds = new Set<Kind>(validators.map(({ subnet }) => (subnet === 'primary' ? 'primary' : 'l1')))
  kinds.add('all')
  if (!isPartial) kinds.add('rest')
  return needs
    .filter(({ of, kind }) => kinds.has(kind) && answers[of].series.length === 0)
    .map(({ figure, metric }) => ({ figure, metric }))
}

export interface Subject {
  month: Month
  validators: readonly ValidatorId[]
  /** Whether the validators are a choice. */
  isPartial: boolean
}

export type Report = ReturnType<typeof reportOf>

export function reportOf(answers: Answers, { month, validators, isPartial }: Subject) {
  return {
    month: month.name,
    from: month.start,
    until: month.until,
    isComplete: isComplete(month),
    isPartial,
    validators: validators.map((one) => validatorReport(one, answers, month)),
    l1s: l1Reports(validators, answers, month),
    wallets: walletReports(answers, month),
    /** Undefined if Prometheus has no alerts of stakewatch. */
    pages: pageReports(answers, month, validators, isPartial),
    pagesUnobserved: pagesUnobserved(answers, month),
    upstreams: upstreamReports(answers, month),
    /** Figures that the report lacks, because Prometheus has no series for them. */
    missing: missingOf(answers, validators, isPartial),
  }
}

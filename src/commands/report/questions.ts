// What the report asks Prometheus: a PromQL expression for each figure, and how often in the month.

import { labelsOf } from '../../metrics/catalogue.ts'
import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { DAY, HOUR, MINUTE } from '../../lib/seconds.ts'

export interface Question {
  /** `only` selects the validators of the report. */
  expr(only: string): string
  /** Seconds between two values. A value is that of the newest sample since the one before, and of none if there was none. */
  step: number
  /** Seconds before and after the month that the figure needs. */
  margin: { before: number; after: number }
  /** `rest`: it is about wallets or upstreams, which a report about some validators leaves out. */
  about: 'validators' | 'rest'
  /** Its values are times: seconds since the epoch. */
  isTime?: true
}

/** Longer gaps between samples are unobserved. */
export const LONGEST_GAP = 5 * MINUTE
const TEN_MINUTES = 10 * MINUTE
const FIVE_MINUTES = 5 * MINUTE

/** One millisecond less than the step: Prometheus 2 includes both ends of a range, Prometheus 3 only the later one. */
const within = (series: string, step: number) => `last_over_time(${series}[${step * 1_000 - 1}ms])`

/** Replicas are one: only the labels of the metric stay, without names, which may change. */
function joined(series: string): string {
  return `max by (${keptOf(series, 'validator')}) (${within(series, MINUTE)})`
}

/**
 * The same for long steps: what is there at the end of the step counts. What went away within it, such as a replica or an old
 * name, counts only where nothing is there any more.
 */
function latest(series: string, step: number, kept = keptOf(series, 'validator')): string {
  const before = `max by (${kept}) (${within(series, step)}) unless on (${keptOf(series, 'validator')}) ${series}`
  return `(max by (${kept}) (${series}) or (${before}))`
}

function keptOf(series: string, ...without: readonly string[]): string {
  const [metric = ''] = /^\w+/.exec(series) ?? []
  return labelsOf(metric)
    .filter((label) => !without.includes(label))
    .join(', ')
}

/** Nodes that are down, isolated or of another network do not vote, by the replica that has their opinion: another may not reach them. */
function voted(series: string): string {
  const votes = `${within(series, MINUTE)} unless on (job, instance, network, source) stakewatch_node_votes == 0`
  return `max by (${keptOf(series, 'validator')}) (${votes})`
}

/** A state by the minute. */
function minutely(expr: Question['expr'], about: Question['about'] = 'validators'): Question {
  return { expr, step: MINUTE, margin: { before: LONGEST_GAP, after: LONGEST_GAP }, about }
}

/** An amount or a time by the hour. */
function hourly(expr: Question['expr'], about: Question['about'] = 'validators'): Question {
  return { expr, step: HOUR, margin: { before: 0, after: 0 }, about }
}

/** Each replica counts by itself, so the labels of its target stay. What was counted in a gap before the month belongs to it. */
function counted(expr: (only: string) => string, about: Question['about'] = 'validators'): Question {
  const margin = { before: DAY, after: 0 }
  return { expr: (only) => within(expr(only), FIVE_MINUTES), step: FIVE_MINUTES, margin, about }
}

const ALERT_LABELS =
  'alertname, severity, network, subnet, node_id, validator, source, chain, address, route, probe, check, expectation, what, window'
const FIRING = 'ALERTS{alertname=~"Stakewatch.+",alertname!="StakewatchDrill",alertstate="firing"}'

/** The staking token is the token of the only EVM chain of the primary network: its price is the value of a balance there. */
function price(): string {
  const chain = `max by (network, chain) (${within(`stakewatch_blockchain_info{subnet_id="${PRIMARY_NETWORK_ID}",evm_chain_id!=""}`, HOUR)})`
  const onChain = `and on (network, chain) ${chain}`
  const value = latest('stakewatch_address_native_balance_value', HOUR)
  const tokens = `(${latest('stakewatch_address_native_balance_tokens', HOUR)} > 0)`
  const priced = `(${tokens} and on (network, address, chain) ${value} ${onChain})`
  return `sum by (network, currency) (${value} and on (network, address, chain) ${priced}) / on (network) group_left () sum by (network) ${priced}`
}

/** Hourly gauges of validators by the name of the figure. */
const ofValidators = {
  stake: 'stakewatch_validator_stake_tokens',
  delegated: 'stakewatch_validator_delegated_tokens',
  delegators: 'stakewatch_validator_delegators',
  delegationFee: 'stakewatch_validator_delegation_fee_ratio',
  potentialReward: 'stakewatch_validator_potential_reward_tokens',
  pendingReward: 'stakewatch_validator_pending_reward_tokens',
  start: 'stakewatch_validator_start_timestamp_seconds',
  end: 'stakewatch_validator_end_timestamp_seconds',
  nextPeriod: 'stakewatch_validator_next_period_seconds',
  uptimeRatio: 'stakewatch_validator_uptime_ratio',
  l1UptimeRatio: 'stakewatch_l1_validator_uptime_ratio',
  requiredRatio: 'stakewatch_validator_required_uptime_ratio',
  budget: 'stakewatch_validator_downtime_budget_seconds',
} as const

const hourlyOfValidators = Object.fromEntries(
  Object.entries(ofValidators).map(([name, metric]) => {
    const question = hourly((only) => latest(`${metric}{${only}}`, HOUR))
    return [name, metric.endsWith('_timestamp_seconds') ? { ...question, isTime: true as const } : question]
  }),
) as Readonly<Record<keyof typeof ofValidators, Question>>

/** Which validators were configured; asked first, as the others select them. */
export const tracked: Question = hourly(() =>
  latest('stakewatch_validator_tracked', HOUR, keptOf('stakewatch_validator_tracked')),
)

export const questions = {
  ...hourlyOfValidators,
  connected: minutely((only) => voted(`stakewatch_validator_connected{${only}}`)),
  l1Connected: minutely((only) => voted(`stakewatch_l1_validator_connected{${only}}`)),
  inSet: minutely((only) => joined(`stakewatch_validator_in_set{${only}}`)),
  inMaintenance: minutely((only) => `${joined(`stakewatch_validator_in_maintenance{${only}}`)} == 1`),
  rewardState: hourly((only) => `${latest(`stakewatch_validator_reward_state{${only}}`, HOUR)} == 1`),
  renewals: counted((only) => `stakewatch_validator_renewals_total{${only}}`),
  turns: counted((only) => `stakewatch_validator_turns_total{${only},outcome!="idle"}`),
  turnGaps: counted(() => 'stakewatch_chain_turns_gaps_total'),
  nodeIds: hourly(() => latest('stakewatch_node_info', HOUR, keptOf('stakewatch_node_info', 'version'))),
  firing: minutely(() => `max by (${ALERT_LABELS}) (${within(FIRING, MINUTE)})`),
  price: hourly(price),
  l1Active: minutely((only) => joined(`stakewatch_l1_validator_active{${only}}`)),
  l1Balance: {
    ...hourly((only) => latest(`stakewatch_l1_validator_balance_tokens{${only}}`, TEN_MINUTES)),
    step: TEN_MINUTES,
  },
  l1TopUps: counted((only) => `stakewatch_l1_validator_topup_tokens_total{${only}}`),
  l1Price: hourly(() => latest('stakewatch_l1_fee_price_tokens_per_second', HOUR)),
  l1Margin: minutely(() => voted('stakewatch_l1_liveness_margin{when="now"}')),
  rewardTokens: counted(() => 'stakewatch_rewards_tokens_total', 'rest'),
  rewardValue: counted(() => 'stakewatch_rewards_value_total', 'rest'),
  rewardGaps: counted(() => 'stakewatch_rewards_gaps_total', 'rest'),
  rewardsUnpriced: hourly(() => latest('stakewatch_rewards_unpriced', HOUR), 'rest'),
  walletPending: hourly(() => latest('stakewatch_address_pending_reward_tokens', HOUR), 'rest'),
  upstreamUp: minutely(() => joined('stakewatch_upstream_up'), 'rest'),
  requests: {
    ...counted(() => '', 'rest'),
    expr: () => `sum without (operation) (${within('stakewatch_upstream_requests_total', FIVE_MINUTES)})`,
  },
  /** Requests to each instance, which only a restart lets fall: a reload lets fall the sum of those that it sends. */
  received: {
    ...counted(() => '', 'rest'),
    expr: () => `sum by (job, instance) (${within('stakewatch_http_requests_total', FIVE_MINUTES)})`,
  },
  rateLimited: counted(() => 'stakewatch_upstream_rate_limited_total', 'rest'),
  /** Of each instance. Several shards ask one service, and each counts its own requests. */
  shards: {
    ...counted(() => '', 'rest'),
    expr: () => `max by (job, instance, shard_ordinal) (${within('stakewatch_shard_ordinal', HOUR)})`,
    step: HOUR,
  },
} as const satisfies Readonly<Record<string, Question>>

export type QuestionName = keyof typeof questions

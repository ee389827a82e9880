// The metrics that the status reads.

import { suppressionMetrics, windowMetrics } from '../../maintenance/metrics.ts'

export const ofValidator = {
  inSet: 'stakewatch_validator_in_set',
  info: 'stakewatch_validator_info',
  stake: 'stakewatch_validator_stake_tokens',
  weight: 'stakewatch_validator_weight',
  start: 'stakewatch_validator_start_timestamp_seconds',
  end: 'stakewatch_validator_end_timestamp_seconds',
  nextPeriod: 'stakewatch_validator_next_period_seconds',
  expectationMet: 'stakewatch_validator_expectation_met',
  active: 'stakewatch_l1_validator_active',
  balance: 'stakewatch_l1_validator_balance_tokens',
  depletion: 'stakewatch_l1_validator_depletion_timestamp_seconds',
  listedBalance: 'stakewatch_l1_validator_listed_balance_tokens',
  listedDepletion: 'stakewatch_l1_validator_listed_depletion_timestamp_seconds',
} as const

/** Reports of observers; all have a label `source`. */
export const ofObserver = {
  uptime: 'stakewatch_validator_uptime_ratio',
  connected: 'stakewatch_validator_connected',
  required: 'stakewatch_validator_required_uptime_ratio',
  budget: 'stakewatch_validator_downtime_budget_seconds',
  reward: 'stakewatch_validator_reward_state',
  l1Uptime: 'stakewatch_l1_validator_uptime_ratio',
  l1Connected: 'stakewatch_l1_validator_connected',
  listedUptime: 'stakewatch_validator_listed_uptime_ratio',
  reachable: 'stakewatch_validator_listed_reachable_ratio',
} as const

export const ofUpstream = {
  up: 'stakewatch_upstream_up',
  circuitOpen: 'stakewatch_upstream_circuit_open',
  refusing: 'stakewatch_upstream_refusing',
  budget: 'stakewatch_upstream_budget_units',
  remaining: 'stakewatch_upstream_budget_remaining_units',
  node: 'stakewatch_node_info',
} as const

export const ofRun = {
  interval: 'stakewatch_collector_interval_seconds',
  lastSuccess: 'stakewatch_collector_last_success_timestamp_seconds',
} as const

/** About chains; all have a label `chain`. */
export const ofChain = {
  heights: [
    'stakewatch_chain_head_height',
    'stakewatch_evm_head_height',
    'stakewatch_node_head_height',
    'stakewatch_node_evm_head_height',
  ],
  times: [
    'stakewatch_chain_head_timestamp_seconds',
    'stakewatch_evm_head_timestamp_seconds',
    'stakewatch_node_evm_head_timestamp_seconds',
  ],
  threshold: 'stakewatch_chain_stall_threshold_seconds',
} as const

/** About wallets; all have a label `address`. */
export const ofWallet = {
  balance: 'stakewatch_address_balance_tokens',
  nativeBalance: 'stakewatch_address_native_balance_tokens',
  nodeBalance: 'stakewatch_node_address_balance_tokens',
} as const

/** About messages: routes and probes. */
export const ofMessages = {
  oldestPending: 'stakewatch_icm_oldest_pending_timestamp_seconds',
  signed: 'stakewatch_signature_aggregation_success',
} as const

/** How long observers say that a validator may be down. */
export const MAY_STOP = 'stakewatch_validator_may_stop_seconds'

/** About subnets. */
export const ofSubnet = {
  weightRatio: 'stakewatch_l1_weight_online_ratio',
  balance: 'stakewatch_l1_validator_balance_tokens',
  depletion: 'stakewatch_l1_validator_depletion_timestamp_seconds',
  listedDepletion: 'stakewatch_l1_validator_listed_depletion_timestamp_seconds',
} as const

/** Of tracked validators, for the public page. */
export const ofDelegation = {
  fee: 'stakewatch_validator_delegation_fee_ratio',
  capacity: 'stakewatch_validator_delegation_capacity_tokens',
} as const

/** Of turns to build blocks. */
export const ofTurns = {
  turns: 'stakewatch_validator_turns_total',
  gaps: 'stakewatch_chain_turns_gaps_total',
  contradicted: 'stakewatch_chain_draw_contradicted',
} as const

/** Which nodes vote, by the judge. */
export const VOTES = 'stakewatch_node_votes'

/** What `check --live` and `watch` read as well. */
export const checkedMetricNames = [
  'stakewatch_address_last_transaction_timestamp_seconds',
  'stakewatch_address_stakes',
  'stakewatch_l1_validator_runway_seconds',
  'stakewatch_node_bootstrapped',
  'stakewatch_subnet_validators',
]

export const metricNames: ReadonlySet<string> = new Set([
  VOTES,
  MAY_STOP,
  ...[...Object.values(windowMetrics), ...Object.values(suppressionMetrics)].map(({ name }) => name),
  ...[
    ofSubnet,
    ofValidator,
    ofObserver,
    ofUpstream,
    ofRun,
    ofChain,
    ofWallet,
    ofMessages,
    ofDelegation,
    ofTurns,
  ].flatMap((group) => Object.values(group).flat()),
])

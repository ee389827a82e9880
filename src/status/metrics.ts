// The metrics that the status is made of.

export const ofValidator = {
  inSet: 'stakewatch_validator_in_set',
  info: 'stakewatch_validator_info',
  stake: 'stakewatch_validator_stake_tokens',
  weight: 'stakewatch_validator_weight',
  start: 'stakewatch_validator_start_timestamp_seconds',
  end: 'stakewatch_validator_end_timestamp_seconds',
  nextPeriod: 'stakewatch_validator_next_period_seconds',
  expectationMet: 'stakewatch_validator_expectation_met',
  observers: 'stakewatch_validator_observers',
  active: 'stakewatch_l1_validator_active',
  balance: 'stakewatch_l1_validator_balance_tokens',
  depletion: 'stakewatch_l1_validator_depletion_timestamp_seconds',
  listedBalance: 'stakewatch_l1_validator_listed_balance_tokens',
  listedDepletion: 'stakewatch_l1_validator_listed_depletion_timestamp_seconds',
} as const

/** Opinions: each has a label `source`. */
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
  duration: 'stakewatch_collector_duration_seconds',
  interval: 'stakewatch_collector_interval_seconds',
  ttl: 'stakewatch_collector_ttl_seconds',
  lastSuccess: 'stakewatch_collector_last_success_timestamp_seconds',
  series: 'stakewatch_collector_series',
} as const

/** About nodes; all have a label `source`. */
export const ofNode = {
  inNetwork: 'stakewatch_node_in_network',
  passing: 'stakewatch_node_health_check_passing',
  failingSince: 'stakewatch_node_health_check_failing_since_timestamp_seconds',
  checkedAt: 'stakewatch_node_health_check_timestamp_seconds',
  onCanonicalChain: 'stakewatch_node_on_canonical_chain',
  behind: 'stakewatch_node_behind_blocks',
  evmState: 'stakewatch_node_evm_chain_state',
  l1State: 'stakewatch_l1_chain_state',
  rewardingStake: 'stakewatch_node_rewarding_stake_ratio',
  upgradeReady: 'stakewatch_node_upgrade_ready',
  peersReady: 'stakewatch_node_peers_upgrade_ready_ratio',
  upgrade: 'stakewatch_node_upgrade_timestamp_seconds',
  peerStake: 'stakewatch_node_peer_stake_ratio',
  adminReachable: 'stakewatch_node_admin_api_reachable',
  adminExpected: 'stakewatch_node_admin_api_expected',
  logger: 'stakewatch_node_logger_level',
  indexed: 'stakewatch_index_last_accepted_timestamp_seconds',
  evmHeadTime: 'stakewatch_node_evm_head_timestamp_seconds',
} as const

/** About chains; all have a label `chain`. */
export const ofChain = {
  headHeight: 'stakewatch_chain_head_height',
  headTime: 'stakewatch_chain_head_timestamp_seconds',
  evmHeadHeight: 'stakewatch_evm_head_height',
  evmHeadTime: 'stakewatch_evm_head_timestamp_seconds',
  nodeHeadHeight: 'stakewatch_node_head_height',
  nodeEvmHeadHeight: 'stakewatch_node_evm_head_height',
  nodeEvmHeadTime: 'stakewatch_node_evm_head_timestamp_seconds',
  nodeState: 'stakewatch_node_evm_chain_state',
  status: 'stakewatch_blockchain_status',
  threshold: 'stakewatch_chain_stall_threshold_seconds',
  blocksMismatch: 'stakewatch_primary_blocks_chain_mismatch',
  utxosMismatch: 'stakewatch_utxos_chain_mismatch',
  throughput: 'stakewatch_chain_throughput_tps',
} as const

/** About wallets; all have a label `address`. */
export const ofWallet = {
  balance: 'stakewatch_address_balance_tokens',
  nativeBalance: 'stakewatch_address_native_balance_tokens',
  nodeBalance: 'stakewatch_node_address_balance_tokens',
  balanceMet: 'stakewatch_address_balance_expectation_met',
  nativeBalanceMet: 'stakewatch_address_native_balance_expectation_met',
  transactionsMet: 'stakewatch_address_transactions_expectation_met',
  erc20Met: 'stakewatch_address_erc20_expectation_met',
  pendingReward: 'stakewatch_address_pending_reward_next_end_timestamp_seconds',
  balancesMismatch: 'stakewatch_balances_chain_mismatch',
  stakesMismatch: 'stakewatch_stakes_chain_mismatch',
  transactionsMismatch: 'stakewatch_transactions_chain_mismatch',
} as const

/** About messages: routes and probes. */
export const ofMessages = {
  oldestPending: 'stakewatch_icm_oldest_pending_timestamp_seconds',
  signed: 'stakewatch_signature_aggregation_success',
} as const

/** About networks and their L1s as a whole. */
export const ofNetwork = {
  gasPrice: 'stakewatch_p_chain_gas_price_tokens',
  gasMinPrice: 'stakewatch_p_chain_gas_min_price_tokens',
  l1Weight: 'stakewatch_l1_weight',
  weight: 'stakewatch_subnet_weight',
  listedWeight: 'stakewatch_l1_listed_weight',
  validatorReady: 'stakewatch_validator_upgrade_ready',
} as const

export const metricNames: ReadonlySet<string> = new Set(
  [ofValidator, ofObserver, ofUpstream, ofRun, ofNode, ofChain, ofWallet, ofMessages, ofNetwork].flatMap((group) =>
    Object.values(group),
  ),
)

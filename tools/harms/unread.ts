// Metrics that no rule reads, with why: what they report is no harm, or a rule reads it from another metric.

interface Excused {
  because: string
  metrics: readonly string[]
}

const excused = (because: string, names: string): Excused => ({
  because,
  metrics: names
    .trim()
    .split(/\s+/)
    .map((name) => `stakewatch_${name}`),
})

export const unread: readonly Excused[] = [
  excused(
    'A window is no harm: the judge reads it to keep alerts quiet.',
    'chain_in_maintenance subnet_in_maintenance address_in_maintenance',
  ),
  excused(
    'stakewatch has judged it from other metrics, and alerts are made of that.',
    `
    node_votes l1_weight_online_ratio
    condition condition_value condition_detail condition_ended condition_unknown_since_timestamp_seconds conditions
    `,
  ),
  excused(
    'A rule reads the same fact from another metric: its time, its share, its cause or the sum of it.',
    `
    validator_delegation_next_end_timestamp_seconds
    validator_uptime_ratio validator_last_block_timestamp_seconds chain_late_blocks_total
    validator_pending_reward_next_end_timestamp_seconds
    l1_validator_runway_seconds l1_validator_may_stop l1_active_validators
    subnet_validators subnet_total_weight subnet_owner_keys subnet_owner_threshold
    node_bootstrapped node_vote_stake_ratio node_vote_state node_observed_uptime_ratio
    node_benched_peers index_last_accepted
    chain_expected_status
    address_last_outgoing_timestamp_seconds
    address_last_erc20_outgoing_timestamp_seconds
    collector_runs_total collector_ttl_seconds upstream_circuit_open
    storage_last_commit_timestamp_seconds config_last_reload_success_timestamp_seconds
    `,
  ),
  excused(
    'A second view by the data service of what nodes report: the rules follow the nodes.',
    `
    validator_listed_active validator_listed_uptime_ratio validator_listed_benched_ratio validator_listed_info
    validator_listed_end_timestamp_seconds validator_listed_delegation_capacity_tokens
    validator_listed_next_period_seconds validator_listed_compounded_weight_tokens
    validator_listed_delegated_tokens validator_listed_delegated_ending_tokens
    validator_listed_delegation_next_end_timestamp_seconds
    `,
  ),
  excused(
    'What it holds or earns: no amount is wrong by itself, and the owner declares what must be so.',
    `
    validator_delegated_tokens validator_delegators validator_delegation_capacity_tokens validator_pending_reward_tokens
    validator_pending_rewards validator_blocks_proposed_total validator_turns_total
    validator_turns_expected_ratio l1_validator_topup_tokens_total
    address_other_assets address_native_balance_value address_pending_reward_tokens address_pending_rewards
    address_pending_rewards_other_assets address_stakes address_stakes_renewing address_staked_tokens address_estimated_reward_tokens
    address_stake_next_end_timestamp_seconds address_transactions_total address_burned_tokens_total
    address_last_transaction_timestamp_seconds address_utxos address_utxo_tokens address_utxo_smallest_tokens
    address_next_unlock_timestamp_seconds erc20_transfers_total erc20_transferred_tokens_total
    rewards_tokens_total rewards_value_total last_reward_timestamp_seconds
    data_usage_credits data_usage_requests data_usage_timestamp_seconds
    `,
  ),
  excused(
    'Traffic, prices and shares of a whole network: no operator can change them, and no level is wrong for all.',
    `
    subnet_delegators subnet_stake_tokens subnet_top_weight_ratio subnet_nakamoto_coefficient supply_tokens
    subnet_validators_below_uptime subnet_weight_below_uptime l1_validator_uptime_ratio
    chain_average_tps chain_blocks_total chain_transactions_total chain_block_size_bytes
    chain_block_interval_seconds chain_block_proposer_lag_seconds p_chain_gas_capacity_ratio
    evm_transactions_total evm_gas_used_total evm_gas_limit evm_gas_utilisation_ratio evm_base_fee_tokens
    evm_fees_spent_tokens_total evm_block_interval_seconds evm_block_transactions_total
    node_evm_head_gas_used_ratio node_evm_base_fee_tokens index_acceptance_interval_seconds
    icm_receipts_pending icm_transitions_total icm_delivery_seconds signature_aggregation_duration_seconds
    `,
  ),
  excused(
    'What a thing is: names, ids and fixed settings, for other queries to join.',
    `
    validator_info build_info
    subnet_min_validator_stake_tokens subnet_min_delegator_stake_tokens l1_validator_min_nonce
    `,
  ),
  excused(
    'How many items a total or a list lacks: the panel What was left out shows it, and no alert reads such a total.',
    `
    chain_blocks_missed_total evm_blocks_missed_total evm_transactions_blocks_missed_total
    index_acceptance_gaps_total chain_turns_gaps_total erc20_transfer_gaps_total rewards_gaps_total address_transactions_gaps_total
    address_stakes_incomplete rewards_unpriced icm_messages_incomplete
    upstream_items_dropped_total upstream_fields_dropped_total upstream_unknown_fields log_lines_dropped_total
    `,
  ),
  excused(
    'The load of stakewatch and how fast it works: what comes too late is old, and a rule reads ages.',
    `
    collector_duration_seconds collector_series upstream_request_duration_seconds
    http_requests_total http_connections_cut_total clock_jumps_total
    `,
  ),
  excused(
    'The plan of the operator: rules read the start and the end of a window, and what it covers.',
    'maintenance_active',
  ),
  excused(
    'A gap: it can report something bad, and no rule reads it yet.',
    `
    validator_weight_difference subnet_inactive_weight_difference evm_listed_state
    `,
  ),
]

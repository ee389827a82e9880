// What one bad item costs in each collector that walks a list, and why the others walk none. A sum, a share or a number of all
// is absent while a part of it is unknown, and a run that can tell nothing else fails: that is meant.

interface Cost {
  /** Default: true. */
  isSuccess?: false
  /** Families that lack a series. */
  lost?: readonly string[]
  /** Families with other values, as the item is not in them. */
  changed?: readonly string[]
}

export interface Costs {
  /** Of an item that cannot be read. Default: nothing. */
  bad?: Cost
  /** Of one that is null, where that differs. */
  missing?: Cost
  /** Of one that lies in the future. Default: nothing. */
  future?: Cost
  /** Other items are bad in each run. */
  areNew?: true
}

export const costs: Readonly<Record<string, Readonly<Record<string, Costs>>>> = {
  'l1-validators': {
    'platform.getCurrentValidators': {
      bad: {
        lost: [
          'l1_validator_balance_tokens',
          'l1_validator_active',
          'l1_validator_min_nonce',
          'l1_validator_depletion_timestamp_seconds',
          'l1_validator_runway_seconds',
        ],
      },
    },
    'list-latest-primary-network-blocks': {},
  },
  'listed-delegations': {
    'list-delegators': { bad: { isSuccess: false } },
  },
  'listed-validators': {
    'list-validators': {
      bad: {
        isSuccess: false,
        lost: [
          'validator_listed_active',
          'validator_listed_uptime_ratio',
          'validator_listed_reachable_ratio',
          'validator_listed_benched_ratio',
          'validator_listed_info',
          'validator_listed_delegation_capacity_tokens',
          'validator_listed_end_timestamp_seconds',
        ],
      },
    },
  },
  renewals: {
    'platform.getCurrentValidators': {},
  },
  uptime: {
    'platform.getCurrentValidators': {
      bad: {
        lost: [
          'validator_uptime_ratio',
          'validator_connected',
          'validator_required_uptime_ratio',
          'validator_downtime_budget_seconds',
          'validator_may_stop_seconds',
          'validator_reward_state',
        ],
      },
      future: {
        lost: ['validator_downtime_budget_seconds', 'validator_may_stop_seconds', 'validator_reward_state'],
        changed: ['validator_required_uptime_ratio'],
      },
    },
  },
  validators: {
    'platform.getCurrentValidators': {
      bad: {
        lost: [
          'validator_in_set',
          'validator_info',
          'validator_weight',
          'validator_stake_tokens',
          'validator_delegated_tokens',
          'validator_delegators',
          'validator_delegation_fee_ratio',
          'validator_delegation_capacity_tokens',
          'validator_potential_reward_tokens',
          'validator_start_timestamp_seconds',
          'validator_end_timestamp_seconds',
        ],
      },
      future: { isSuccess: false, lost: ['validator_start_timestamp_seconds'] },
    },
  },
  'consensus-weight': {
    'platform.getValidatorsAt': { bad: { lost: ['validator_weight_difference'] } },
    'platform.getCurrentValidators': {
      bad: { lost: ['validator_weight_difference', 'subnet_inactive_weight_difference'] },
    },
  },
  'l1-liveness': {
    'validators.getCurrentValidators': { bad: { lost: ['l1_validator_connected', 'l1_validator_uptime_ratio'] } },
    'platform.getCurrentValidators': {},
    'platform.getBlockchains': { bad: { lost: ['l1_chain_state', 'l1_chain_info'] } },
    'health.health': { missing: { isSuccess: false } },
  },
  'listed-l1s': {
    'list-l1-validators': {
      bad: {
        isSuccess: false,
        lost: ['l1_validator_listed_balance_tokens', 'l1_validator_listed_depletion_timestamp_seconds'],
      },
    },
    'list-latest-primary-network-blocks': {},
  },
  'subnet-uptime': {
    'platform.getCurrentValidators': {},
  },
  subnet: {
    'platform.getCurrentValidators': {
      bad: {
        lost: [
          'subnet_validators',
          'subnet_weight',
          'subnet_weight_depleting',
          'subnet_delegators',
          'subnet_stake_tokens',
          'subnet_top_weight_ratio',
          'subnet_nakamoto_coefficient',
        ],
      },
    },
    'list-latest-primary-network-blocks': {},
  },
  supply: {
    'list-latest-primary-network-blocks': {},
  },
  'avg-tps': {
    'avg-tps': { future: { isSuccess: false } },
  },
  blockchains: {
    'platform.getBlockchains': { bad: { lost: ['subnet_blockchains'] } },
  },
  'evm-blocks': {
    'list-latest-evm-blocks': {
      bad: {
        changed: [
          'evm_blocks_missed_total',
          'evm_gas_used_total',
          'evm_gas_utilisation_ratio',
          'evm_fees_spent_tokens_total',
          'evm_block_interval_seconds',
        ],
      },
      future: {
        isSuccess: false,
        changed: [
          'evm_blocks_missed_total',
          'evm_gas_used_total',
          'evm_gas_utilisation_ratio',
          'evm_fees_spent_tokens_total',
          'evm_block_interval_seconds',
        ],
      },
    },
  },
  'evm-transactions': {
    'list-latest-evm-blocks': { future: { isSuccess: false } },
    'list-evm-block-transactions': { bad: { changed: ['evm_block_transactions_total'] }, areNew: true },
  },
  'listed-chains': {
    'supported-chains': { bad: { isSuccess: false, lost: ['evm_listed_state'] } },
  },
  'primary-blocks': {
    'list-latest-primary-network-blocks': { future: { isSuccess: false } },
  },
  'data-usage': {
    'get-api-usage-metrics': {
      bad: { changed: ['data_usage_credits', 'data_usage_requests', 'data_usage_timestamp_seconds'] },
      future: {
        isSuccess: false,
        changed: ['data_usage_credits', 'data_usage_requests', 'data_usage_timestamp_seconds'],
      },
    },
  },
  'evm-node-heads': {
    'health.health': { missing: { isSuccess: false } },
  },
  'head-check': {
    'list-latest-primary-network-blocks': {},
  },
  'node-health': {
    'health.health': {
      bad: { lost: ['node_health_check_passing', 'node_health_check_timestamp_seconds'] },
      missing: { isSuccess: false, lost: ['node_health_check_passing', 'node_health_check_timestamp_seconds'] },
      future: { isSuccess: false, lost: ['node_health_check_timestamp_seconds'] },
    },
  },
  'node-peers': {
    'info.peers': {
      bad: {
        lost: [
          'node_benched_peers',
          'node_peer_stake_ratio',
          'node_vote_stake_ratio',
          'node_vote_state',
          'node_upgrade_timestamp_seconds',
          'node_peers_upgrade_ready_ratio',
          'node_upgrade_ready',
          'validator_upgrade_ready',
        ],
      },
    },
    'platform.getCurrentValidators': {
      bad: {
        lost: [
          'node_peer_stake_ratio',
          'node_vote_stake_ratio',
          'node_vote_state',
          'node_upgrade_timestamp_seconds',
          'node_peers_upgrade_ready_ratio',
          'node_upgrade_ready',
          'validator_upgrade_ready',
        ],
      },
    },
  },
  'node-state': {
    'health.health': {},
  },
  'erc20-transfers': {
    'list-erc20-transfers': { future: { isSuccess: false }, areNew: true },
  },
  'pending-rewards': {
    'list-pending-rewards': { bad: { isSuccess: false } },
  },
  rewards: {
    'list-historical-rewards': { future: { isSuccess: false } },
  },
  stakes: {
    'list-staking-transactions': { bad: { isSuccess: false } },
  },
  transactions: {
    'list-latest-transactions': {
      bad: { lost: ['address_transactions_expectation_met'] },
      future: { isSuccess: false, lost: ['address_transactions_expectation_met'] },
    },
    'platform.getCurrentValidators': {},
  },
  utxos: {
    'list-utxos-v2': {
      bad: { isSuccess: false, changed: ['address_utxos', 'address_utxo_tokens', 'address_utxo_smallest_tokens'] },
    },
  },
  icm: {
    'list-icm-messages': { bad: { changed: ['icm_messages', 'icm_messages_incomplete'] } },
    'list-icm-messages-by-address': { bad: { changed: ['icm_messages_incomplete'] } },
  },
}

export const walkingNothing: Readonly<Record<string, string>> = {
  delegations: 'asks for one validator at a time, each in a run of its own',
  'subnet-owner': 'asks for one subnet',
  'blockchain-status': 'asks for one chain; the list of chains only finds the id of an alias',
  'p-chain-gas': 'asks for two records',
  throughput: 'asks for one number at a time',
  'index-head': 'asks for the newest block alone',
  'index-intervals': 'walks ranges of blocks; its own test has what bad ones cost',
  'node-admin': 'asks for the levels and aliases of one node; the list of chains only finds the id of an alias',
  'node-identity': 'asks for the names and versions of one node',
  'node-uptime': 'asks for one record',
  balances: 'asks for the sums of one wallet',
  'native-balances': 'asks for one balance at a time',
  'node-balances': 'asks for the sum of one wallet',
  'signature-probe': 'asks for one signature',
}

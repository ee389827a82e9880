// Alerts about what the configuration declares and is not so: the words under `expect`, `min_balance` and `admin`.

import { type Group, HOLD, latest, MINUTE, validator } from './rule.ts'

/** Where money goes and whose keys sign: more than a setting that has drifted. */
const TAMPERING = 'bls_public_key|remaining_balance_owner|reward_addresses'

const unmet = (expectations: string) => `${latest(expectations)} == 0`
/** Each replica remembers for itself, and one that has begun since knows nothing of what left before. */
const hasLeft = (family: string) => `min without (instance, pod) (${family}{expectation="outgoing"}) == 0`

export const declared: Group = {
  name: 'stakewatch-declared',
  rules: [
    {
      alert: 'StakewatchUnexpectedOutflow',
      severity: 'critical',
      // Compared before they are joined: a wallet on the C-Chain has both, with the same labels.
      expr: `${hasLeft('stakewatch_address_transactions_expectation_met')}
  or ${hasLeft('stakewatch_address_erc20_expectation_met')}`,
      // Nothing takes it back, and the next reading is minutes away.
      for: 0,
      hold: HOLD,
      summary: 'Something has left a wallet that nothing may leave.',
      description:
        'Something has left wallet {{ $labels.address }} of {{ $labels.network }} on {{ $labels.chain }} within the last day, though it is declared that nothing may. If it was none of you, somebody else can sign for it.',
    },
    {
      alert: 'StakewatchValidatorTampered',
      severity: 'critical',
      expr: unmet(`stakewatch_validator_expectation_met{expectation=~"${TAMPERING}"}`),
      for: 5 * MINUTE,
      hold: HOLD,
      summary: 'Rewards, balance or signing key of the validator are not those that were declared.',
      description: `Validator ${validator} does not have the {{ $labels.expectation }} that the configuration declares: what it earns, keeps or signs may be in other hands.`,
    },
    {
      alert: 'StakewatchWalletLow',
      // A relayer that cannot pay delivers nothing, and no other page tells of that. How early it comes is for min_balance.
      severity: 'critical',
      expr: `${unmet('stakewatch_address_balance_expectation_met{expectation="min_balance"}')}
  or ${unmet('stakewatch_address_native_balance_expectation_met{expectation="min_balance"}')}`,
      for: 10 * MINUTE,
      hold: HOLD,
      summary: 'The wallet has less than its minimum.',
      description:
        'Wallet {{ $labels.address }} of {{ $labels.network }} has less on {{ $labels.chain }} than its min_balance. Once it is empty, whatever it pays for stops.',
    },
    {
      alert: 'StakewatchAdminApiExposed',
      severity: 'critical',
      expr: `${latest('stakewatch_node_admin_api_reachable')} == 1
  and on (job, network, source) stakewatch_node_admin_api_expected == 0`,
      for: 5 * MINUTE,
      hold: HOLD,
      summary: 'The admin interface of the node answers, and must not.',
      description:
        'The admin interface of node {{ $labels.source }} of {{ $labels.network }} answers to stakewatch: whoever gets that far can change its logs, load code into it and slow it down.',
    },
    {
      alert: 'StakewatchExpectationNotMet',
      severity: 'warning',
      expr: `${unmet(`stakewatch_validator_expectation_met{expectation!~"${TAMPERING}"}`)}
  or ${unmet('stakewatch_chain_expectation_met')}
  or ${unmet('stakewatch_blockchain_status_expectation_met')}
  or ${latest('stakewatch_node_admin_api_reachable')} == 0
    and on (job, network, source) stakewatch_node_admin_api_expected == 1`,
      for: 10 * MINUTE,
      hold: HOLD,
      summary: 'A validator, a chain or a node is not what the configuration declares.',
      description: `{{ if $labels.validator }}Validator ${validator}{{ else if $labels.chain }}Chain {{ $labels.chain }} of {{ $labels.network }}{{ with $labels.source }} on node {{ . }}{{ end }}{{ else }}Node {{ $labels.source }} of {{ $labels.network }}{{ end }} is not what the configuration declares under {{ or $labels.expectation "admin" }}.`,
    },
  ],
}

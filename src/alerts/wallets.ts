// Alerts about wallets: unexpected outflows, low balances and overdue rewards.

import { awayOf, DATA_SERVICE, FAILING_OF_WALLET } from './causes.ts'
import { BEHIND } from './heads.ts'
import { across, type Group, type Known, lastAsked, latest, MINUTE, unmet } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

/** The minimum over replicas: a replica that started later has not seen earlier outflows. */
const hasLeft = (family: string) => `${across('min', `${family}{expectation="outgoing"}`)} == 0`

/**
 * A wallet for which every family that reported within the last day still reports: a chain may have two families. The deputies count
 * where no family reports.
 */
function knownWallet(expectation: string, families: readonly string[], deputies: readonly string[] = []): Known {
  const labels = 'job, network, address, chain'
  const reading = (family: string) => `${family}{expectation="${expectation}"}`
  const readings = families.map(reading)
  const missing = readings.map(
    (one) => `unless on (${labels}) (${latest(`last_over_time(${one}[1d])`)} unless ${latest(one)})`,
  )
  return {
    by: `(${[...readings, ...deputies.map(reading)].map((one) => latest(one)).join(' or ')}) ${missing.join(' ')}`,
    labels,
    name: 'wallet {{ $labels.address }}',
    of: { series: 'stakewatch_address_tracked', labels: 'job, network, address' },
  }
}

/** Seconds between the end of the stake of the next reward and the last read of the pending rewards. */
const overdue = `${lastAsked('pending-rewards', 'address', 'address:(.+)')}
  - ${latest('stakewatch_address_pending_reward_next_end_timestamp_seconds')}`

export const wallets = (limits: Thresholds): Group => ({
  name: 'stakewatch-wallets',
  rules: [
    {
      alert: 'StakewatchUnexpectedOutflow',
      panel: 'wallets: Expectations of wallets',
      severity: 'critical',
      // Compared before the join: a wallet on the C-Chain has both series with the same labels.
      expr: `${hasLeft('stakewatch_address_transactions_expectation_met')}
  or ${hasLeft('stakewatch_address_erc20_expectation_met')}`,
      // An outflow cannot be undone, and the next reading is minutes away.
      for: 0,
      known: knownWallet('outgoing', [
        'stakewatch_address_transactions_expectation_met',
        'stakewatch_address_erc20_expectation_met',
      ]),
      summary: 'Unexpected outflow from a wallet that allows none.',
      description:
        'Unexpected outflow from wallet {{ $labels.address }} on {{ $labels.network }} ({{ $labels.chain }}) within the last day; the configuration allows none. If your team did not send it, another party can sign for the wallet.',
    },
    {
      alert: 'StakewatchWalletLow',
      panel: 'wallets: What can be spent',
      // If both report, the data service decides; StakewatchSourcesDisagree covers contradictions.
      // It pages because a relayer that cannot pay delivers nothing, and no other page covers that.
      severity: 'critical',
      expr: `${unmet('stakewatch_address_balance_expectation_met{expectation="min_balance"}')}
  or ${unmet('stakewatch_address_native_balance_expectation_met{expectation="min_balance"}')}
  or ${unmet('stakewatch_node_address_balance_expectation_met{expectation="min_balance"}')}
    unless on (job, network, address, chain) stakewatch_address_balance_expectation_met{expectation="min_balance"}`,
      for: 5 * MINUTE,
      known: knownWallet(
        'min_balance',
        ['stakewatch_address_balance_expectation_met', 'stakewatch_address_native_balance_expectation_met'],
        ['stakewatch_node_address_balance_expectation_met'],
      ),
      summary: 'The wallet balance is below its minimum.',
      description:
        'Wallet {{ $labels.address }} on {{ $labels.network }} holds less on {{ $labels.chain }} than its min_balance. Top it up: everything that it pays for stops when it is empty.',
    },
    {
      alert: 'StakewatchWalletUnknown',
      panel: 'wallets: Wallets and their chains',
      severity: 'warning',
      // Failing collectors and unavailable sources have alerts of their own.
      expr: `${latest('stakewatch_address_tracked')}
  unless on (job, network, address) (
    stakewatch_address_balance_tokens
    or stakewatch_address_native_balance_tokens
    or stakewatch_node_address_balance_tokens
  )
  unless on (job, network, address) ${FAILING_OF_WALLET}
  unless on (job, network) ${awayOf(DATA_SERVICE)}`,
      // Balances are read four times an hour.
      for: 25 * MINUTE,
      quietFor: 'wallet',
      summary: 'There is no data about the balance of a configured wallet.',
      description:
        'No balance of wallet {{ $labels.address }} on {{ $labels.network }} is known, although the sources answer. Check that a data service is configured and that the addresses are right. StakewatchWalletLow cannot fire for it.',
    },
    {
      alert: 'StakewatchRewardOverdue',
      panel: 'wallets: Stakes',
      severity: 'warning',
      expr: `${overdue} > ${limits.rewardOverdue}
  unless on (job, network) ${BEHIND}`,
      for: 10 * MINUTE,
      summary: 'A staking reward is overdue.',
      description:
        'A stake ended {{ humanizeDuration $value }} ago, and wallet {{ $labels.address }} on {{ $labels.network }} has not received its reward: the data service still lists it as pending.',
    },
  ],
})

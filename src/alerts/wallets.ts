// Alerts about wallets: what leaves them though nothing may, and those that run low.

import { awayOf, DATA_SERVICE, FAILING_OF_WALLET } from './causes.ts'
import { BEHIND } from './heads.ts'
import { across, type Group, HOLD, type Known, lastAsked, latest, MINUTE, unmet } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

/** Each replica remembers for itself, and one that has begun since knows nothing of what left before. */
const hasLeft = (family: string) => `${across('min', `${family}{expectation="outgoing"}`)} == 0`

/**
 * A wallet of which each of these families reports that has reported within the day: a chain may have two of them. Those
 * that stand in for them count where none of them has.
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

/** For how long the stake of the next reward had been over when the list of pending rewards was read. */
const overdue = `${lastAsked('pending-rewards', 'address', 'address:(.+)')}
  - ${latest('stakewatch_address_pending_reward_next_end_timestamp_seconds')}`

export const wallets = (limits: Thresholds): Group => ({
  name: 'stakewatch-wallets',
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
      // Where both tell, the data service decides: StakewatchSourcesDisagree says when the node contradicts it.
      // A relayer that cannot pay delivers nothing, and no other page tells of that. How early it comes is for min_balance.
      severity: 'critical',
      expr: `${unmet('stakewatch_address_balance_expectation_met{expectation="min_balance"}')}
  or ${unmet('stakewatch_address_native_balance_expectation_met{expectation="min_balance"}')}
  or ${unmet('stakewatch_node_address_balance_expectation_met{expectation="min_balance"}')}
    unless on (job, network, address, chain) stakewatch_address_balance_expectation_met{expectation="min_balance"}`,
      for: 5 * MINUTE,
      hold: HOLD,
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
      severity: 'warning',
      // A collector that fails, and a source that is away, are the news instead.
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
      hold: HOLD,
      summary: 'There is no data about the balance of a configured wallet.',
      description:
        'No balance of wallet {{ $labels.address }} on {{ $labels.network }} is known, although the sources answer. Check that a data service is configured and that the addresses are right. StakewatchWalletLow cannot fire for it.',
    },
    {
      alert: 'StakewatchRewardOverdue',
      severity: 'warning',
      expr: `${overdue} > ${limits.rewardOverdue}
  unless on (job, network) ${BEHIND}`,
      for: 10 * MINUTE,
      hold: HOLD,
      summary: 'A staking reward is overdue.',
      description:
        'A stake ended {{ humanizeDuration $value }} ago, and wallet {{ $labels.address }} on {{ $labels.network }} has not received its reward: the data service still lists it as pending.',
    },
  ],
})

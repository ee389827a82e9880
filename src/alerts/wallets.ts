// Alerts about wallets: what leaves them though nothing may, and those that run low.

import { type Group, HOLD, MINUTE, unmet } from './rule.ts'

/** Each replica remembers for itself, and one that has begun since knows nothing of what left before. */
const hasLeft = (family: string) => `min without (instance, pod) (${family}{expectation="outgoing"}) == 0`

export const wallets: Group = {
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
      summary: 'Something has left a wallet that nothing may leave.',
      description:
        'Something has left wallet {{ $labels.address }} of {{ $labels.network }} on {{ $labels.chain }} within the last day, though it is declared that nothing may. If it was none of you, somebody else can sign for it.',
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
  ],
}

// Wallets and rewards: balances, pending rewards and transactions of wallets.

import { dashboard } from './dashboard.ts'
import { ofWallets } from './select.ts'
import { attention } from './wallets/attention.ts'
import { balances, walletsAndChains } from './wallets/balances.ts'
import { stakes } from './wallets/stakes.ts'
import { transactions } from './wallets/transactions.ts'

export const wallets = dashboard(
  {
    page: 'wallets',
    title: 'Wallets and rewards',
    description: 'Balances, pending rewards and transactions of wallets.',
  },
  ofWallets,
  {
    'What needs attention': [...attention, walletsAndChains],
    Balances: balances,
    'Stakes and rewards': stakes,
    Transactions: transactions,
  },
)

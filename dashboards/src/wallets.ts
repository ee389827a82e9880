// Wallets and rewards: what wallets have, what they wait for, what they do.

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
    description: 'What wallets have, what they wait for, and what they do.',
  },
  ofWallets,
  {
    'What needs attention': [...attention, walletsAndChains],
    Balances: balances,
    'Stakes and rewards': stakes,
    Transactions: transactions,
  },
)

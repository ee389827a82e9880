// Wallets and rewards: balances, pending rewards and transactions of wallets.

import { dashboard } from './dashboard.ts'
import { firingTable, texts } from './firing.ts'
import { ofWallets } from './select.ts'
import { attention } from './wallets/attention.ts'
import { balances, walletsAndChains } from './wallets/balances.ts'
import { stakes } from './wallets/stakes.ts'
import { transactions } from './wallets/transactions.ts'

const firingWallets = firingTable({
  title: 'Alerts about wallets',
  about: 'wallets',
  height: 6,
  of: [['address=~"$address"']],
})

export const wallets = dashboard(
  {
    page: 'wallets',
    title: 'Wallets and rewards',
    description: 'Balances, pending rewards and transactions of wallets.',
    texts,
  },
  ofWallets,
  {
    'What needs attention': [firingWallets, ...attention, walletsAndChains],
    Balances: balances,
    'Stakes and rewards': stakes,
    Transactions: transactions,
  },
)

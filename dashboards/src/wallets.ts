// Wallets, the dashboard of whoever holds the money: what they have, what they wait for, what they do.

import { balances } from './wallets/balances.ts'
import { dashboard } from './dashboard.ts'
import { metByWallets, notMet } from './expectations.ts'
import { tile } from './panels.ts'
import { ofWallets, PLACE, WALLET } from './select.ts'
import { stakes } from './wallets/stakes.ts'
import { transactions } from './wallets/transactions.ts'

const { left, one } = ofWallets
const tracked = one(WALLET, 'stakewatch_address_tracked')
const withBalance = ['address_balance', 'address_native_balance', 'node_address_balance']
  .map((what) => one(WALLET, `stakewatch_${what}_tokens`))
  .join(' or ')

const attention = [
  tile(
    {
      title: 'Expectations of wallets not met',
      description: 'Wallets with less than their minimum, and those that something left though nothing may.',
      unit: 'none',
    },
    4,
    notMet(metByWallets(ofWallets).map(([, expr]) => expr)),
    ['green', [1, 'red']],
  ),
  tile(
    {
      title: 'Wallets without balance',
      description: 'Wallets of which no balance on any chain is known. The other panels may be silent about them.',
      unit: 'none',
    },
    4,
    `count(${tracked} unless (${withBalance})) or sum(${tracked}) * 0`,
    ['green', [1, 'red']],
  ),
  tile(
    {
      title: 'Next end of a stake',
      description: 'Time until the first stake ends. What it held can be spent then, and earns nothing any more.',
      unit: 's',
    },
    4,
    `bottomk(1, ${left(WALLET, 'stakewatch_address_stake_next_end_timestamp_seconds')})`,
    ['blue'],
    '{{network}} {{address}}',
  ),
  tile(
    {
      title: 'Next unlock',
      description: 'Time until the first locked output can be spent, stakes left out.',
      unit: 's',
    },
    4,
    `bottomk(1, ${left(PLACE, 'stakewatch_address_next_unlock_timestamp_seconds')})`,
    ['blue'],
    '{{network}} {{address}} {{chain}}',
  ),
  tile(
    {
      title: 'Last outgoing',
      description: 'Time since something last left a wallet, and which one.',
      unit: 's',
    },
    4,
    `bottomk(1, ${ofWallets.age(PLACE, 'stakewatch_address_last_outgoing_timestamp_seconds')})`,
    ['blue'],
    '{{network}} {{address}} {{chain}}',
  ),
  tile(
    {
      title: 'Rewards without a price',
      description: 'Rewards that had no price so far, so that their value is not in the totals yet.',
      unit: 'none',
    },
    4,
    `sum(${one(WALLET, 'stakewatch_rewards_unpriced')})`,
    ['green', [1, 'orange']],
  ),
]

export const wallets = dashboard(
  {
    uid: 'stakewatch-wallets',
    title: 'Wallets',
    description: 'What wallets have, what they wait for, and what they do.',
    tags: ['stakewatch', 'wallets'],
  },
  ofWallets,
  {
    'What needs attention': attention,
    Balances: balances,
    'Stakes and rewards': stakes,
    Transactions: transactions,
  },
)

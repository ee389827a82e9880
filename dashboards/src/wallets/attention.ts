// Wallets at a glance: low balances and unexpected outflows.

import { metByWallets, notMet } from '../expectations.ts'
import { toPanel } from '../links.ts'
import { NONE, RATHER_NONE, tile } from '../panels.ts'
import { ofWallets, PLACE, WALLET } from '../select.ts'
import { COUNT, SECONDS } from '../units.ts'

const { age, left, one } = ofWallets
const tracked = one(WALLET, 'address_tracked')
const withBalance = ['address_balance', 'address_native_balance', 'node_address_balance']
  .map((what) => one(WALLET, `${what}_tokens`))
  .join(' or ')

export const attention = [
  tile(
    {
      title: 'Unmet',
      description: 'Wallets below their minimum, or with an unexpected outflow.',
      unit: COUNT,
    },
    {
      expr: notMet(metByWallets(ofWallets).map(([, expr]) => expr)),
      marks: NONE,
      to: toPanel('wallets', 'Expectations of wallets'),
    },
  ),
  tile(
    {
      title: 'Unknown',
      description: 'Wallets without a known balance on any chain. The other panels may lack them.',
      unit: COUNT,
    },
    {
      expr: `count(${tracked} unless (${withBalance})) or sum(${tracked}) * 0`,
      marks: NONE,
      to: toPanel('wallets', 'Wallets and their chains'),
    },
  ),
  tile(
    {
      title: 'Stake ends',
      description: 'Time until the first stake ends. Its tokens become spendable then and earn nothing more.',
      unit: SECONDS,
    },
    {
      expr: `bottomk(1, ${left(WALLET, 'address_stake_next_end_timestamp_seconds')})`,
      marks: ['purple'],
      names: ['address'],
      to: toPanel('wallets', 'Stakes', 'network', 'address'),
    },
  ),
  tile(
    {
      title: 'Next unlock',
      description: 'Time until the first locked output can be spent, stakes excluded.',
      unit: SECONDS,
    },
    {
      expr: `bottomk(1, ${left(PLACE, 'address_next_unlock_timestamp_seconds')})`,
      marks: ['purple'],
      names: ['address', 'chain'],
      to: toPanel('wallets', 'Wallets and their chains', 'network', 'address'),
    },
  ),
  tile(
    {
      title: 'Last sent',
      description: 'Time since something last left a wallet, with its name.',
      unit: SECONDS,
    },
    {
      expr: `bottomk(1, ${age(PLACE, 'address_last_outgoing_timestamp_seconds')})`,
      marks: ['purple'],
      names: ['address', 'chain'],
      to: toPanel('wallets', 'Wallet activity', 'network', 'address'),
    },
  ),
  tile(
    {
      title: 'Not priced',
      description: 'Rewards without a price yet, so that the totals lack their value.',
      unit: COUNT,
    },
    { expr: `sum(${one(WALLET, 'rewards_unpriced')})`, marks: RATHER_NONE, to: toPanel('wallets', 'Stakes') },
  ),
]

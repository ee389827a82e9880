// Balances of wallets: how much is spendable, whether that is enough, and which outputs they consist of.

import { expectationStates, metByWallets } from '../expectations.ts'
import { DAY, graph, timeline } from '../panels.ts'
import { ofWallets, PLACE, WALLET } from '../select.ts'
import { NETWORK_KEY, table } from '../table.ts'
import { COUNT, SECONDS, TOKENS } from '../units.ts'

const { left, one } = ofWallets
const STATES = `${PLACE}, state`
const NAME = '{{address}} {{chain}} {{network}}'
const balance = (...matchers: readonly string[]) =>
  `sum by (${STATES}) (${one(`${STATES}, asset`, 'address_balance_tokens', ...matchers)})`
const inStates = (states: string) => `sum by (${PLACE}) (${balance(`state=~"${states}"`)})`
const outputs = (name: string) => one(`${STATES}, utxo_type`, `address_${name}`)

const native = one(PLACE, 'address_native_balance_tokens')
const unlock = left(PLACE, 'address_next_unlock_timestamp_seconds')
const spendable = `${inStates('unlocked_unstaked')} or ${native}`
const isEnough = metByWallets(ofWallets)
  .filter(([family]) => family.endsWith('balance'))
  .map(([, expr]) => `min by (${PLACE}) (${expr})`)
  .join(' or ')
/** On chains with a comparison. */
const minimum = `(${isEnough}) * 0 + on (${WALLET}) group_left () ${one(WALLET, 'address_minimum_balance_tokens')}`

export const walletsAndChains = table({
  text: {
    title: 'Wallets and their chains',
    description:
      "Balance of each wallet in each chain's own token, those with too little first. Enough: whether the spendable balance reaches the minimum. In transit: exported to the chain and not imported yet. Smallest: the smallest output; many small ones make a transaction expensive. Others: number of other assets.",
  },
  height: 9,
  keys: [{ label: 'address', title: 'Wallet' }, NETWORK_KEY, { label: 'chain', title: 'Chain' }],
  rows: spendable,
  columns: [
    { title: 'Enough', expr: isEnough, states: { 1: ['yes', 'text'], 0: ['NO', 'red'] } },
    { title: 'Spendable', expr: spendable, unit: TOKENS },
    { title: 'Minimum', expr: minimum, unit: TOKENS },
    { title: 'Staked', expr: inStates('(unlocked|locked|pending)_staked'), unit: TOKENS },
    { title: 'Locked', expr: inStates('locked_platform|locked_stakeable'), unit: TOKENS },
    { title: 'Unlock in', expr: unlock, unit: SECONDS, marks: ['text', [0, 'purple'], [DAY, 'text']] },
    { title: 'In transit', expr: inStates('atomic_memory_.*'), unit: TOKENS },
    { title: 'Smallest', expr: one(PLACE, 'address_utxo_smallest_tokens'), unit: TOKENS },
    { title: 'Others', expr: one(PLACE, 'address_other_assets'), unit: COUNT },
  ],
  sortBy: ['Enough', 'Wallet', 'Chain'],
})

/** Two collectors each judge balances and what leaves a wallet. */
const how: Readonly<Record<string, string>> = { native_balance: ' (native)', erc20: ' (ERC-20)' }

export const balances = [
  timeline(
    {
      title: 'Expectations of wallets',
      description: 'Whether each wallet meets its expectations. A gap: they could not be judged.',
    },
    expectationStates,
    metByWallets(ofWallets).map(([family, expr]) => [
      `{{address}} {{chain}} {{expectation}}${how[family] ?? ''} {{network}}`,
      expr,
    ]),
  ),
  graph(
    {
      title: 'What can be spent',
      description: 'Spendable tokens of each wallet on each chain, and the minimum if one is configured.',
      unit: TOKENS,
    },
    [
      [NAME, spendable],
      [`${NAME} minimum`, minimum],
    ],
    { isBadWhenLow: true, scale: 'symlog', bound: 'minimum' },
  ).min(0),
  graph(
    {
      title: 'Balances by state',
      description: 'Staking tokens of each wallet, by state.',
      unit: TOKENS,
    },
    [[`${NAME} {{state}}`, balance()]],
    { scale: 'symlog' },
  ).min(0),
  graph(
    {
      title: 'Value of native balances',
      description: 'Value of the native balances in the configured currency, where a price is known.',
      unit: 'short',
    },
    [[`${NAME} {{currency}}`, one(`${PLACE}, currency`, 'address_native_balance_value')]],
  ).min(0),
  graph(
    {
      title: 'Balances as nodes add them up',
      description: 'On the P-Chain, without staked tokens. If the data service disagrees, one of them lags.',
      unit: TOKENS,
    },
    [['{{address}} {{network}} {{state}}', one(`${WALLET}, state`, 'node_address_balance_tokens')]],
    { scale: 'symlog' },
  ).min(0),
  graph(
    {
      title: 'Unspent outputs',
      description: 'Number of outputs of the staking token by state; if it only grows, merge them.',
      unit: COUNT,
    },
    [[`${NAME} {{state}}`, `sum by (${STATES}) (${outputs('utxos')})`]],
  )
    .min(0)
    .decimals(0),
  graph(
    {
      title: 'Tokens in unspent outputs',
      description: 'Tokens in the outputs by type, in any state.',
      unit: TOKENS,
    },
    [[`${NAME} {{utxo_type}}`, `sum by (${PLACE}, utxo_type) (${outputs('utxo_tokens')})`]],
    { scale: 'symlog' },
  ).min(0),
]

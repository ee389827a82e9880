// Balances of wallets: how much of them can be spent, whether that is enough, and what they are made of.

import { expectationStates, metByWallets } from '../expectations.ts'
import { DAY, graph, limit, table, timeline } from '../panels.ts'
import { ofWallets, PLACE, WALLET } from '../select.ts'

const { left, one } = ofWallets
const STATES = `${PLACE}, state`
const balance = (...matchers: readonly string[]) =>
  `sum by (${STATES}) (${one(`${STATES}, asset`, 'stakewatch_address_balance_tokens', ...matchers)})`
const inStates = (states: string) => `sum by (${PLACE}) (${balance(`state=~"${states}"`)})`
const outputs = (name: string) => one(`${STATES}, utxo_type`, `stakewatch_address_${name}`)

const native = one(PLACE, 'stakewatch_address_native_balance_tokens')
const worth = one(`${PLACE}, currency`, 'stakewatch_address_native_balance_value')
const unlock = left(PLACE, 'stakewatch_address_next_unlock_timestamp_seconds')
const spendable = `${inStates('unlocked_unstaked')} or ${native}`
const isEnough = metByWallets(ofWallets)
  .filter(([family]) => family.endsWith('balance'))
  .map(([, expr]) => `min by (${PLACE}) (${expr})`)
  .join(' or ')
/** On the chains where it is compared. */
const minimum = `(${isEnough}) * 0 + on (${WALLET}) group_left () ${one(WALLET, 'stakewatch_address_minimum_balance_tokens')}`

export const balances = [
  table({
    text: {
      title: 'Wallets and their chains',
      description:
        'What each wallet has of the own token of each chain. Enough: whether what can be spent is the minimum at least. In transit: exported to the chain and not imported yet. Smallest output: many small ones make a transaction expensive.',
    },
    height: 9,
    keys: [
      ['address', 'Wallet'],
      ['network', 'Network'],
      ['chain', 'Chain'],
    ],
    columns: [
      { title: 'Can be spent', expr: spendable, unit: 'short' },
      { title: 'Minimum', expr: minimum, unit: 'short' },
      { title: 'Enough', expr: isEnough, states: { 1: ['yes', 'text'], 0: ['NO', 'red'] } },
      { title: 'Staked', expr: inStates('(unlocked|locked|pending)_staked'), unit: 'short' },
      { title: 'Locked', expr: inStates('locked_platform|locked_stakeable'), unit: 'short' },
      {
        title: 'Next unlock in',
        expr: unlock,
        unit: 's',
        marks: ['text', [0, 'blue'], [DAY, 'text']],
      },
      { title: 'In transit', expr: inStates('atomic_memory_.*'), unit: 'short' },
      { title: 'Outputs', expr: `sum by (${PLACE}) (${outputs('utxos')})` },
      { title: 'Smallest output', expr: one(PLACE, 'stakewatch_address_utxo_smallest_tokens'), unit: 'short' },
      { title: 'Other assets', expr: one(PLACE, 'stakewatch_address_other_assets') },
    ],
    sortBy: ['Wallet', 'Chain'],
  }),
  timeline(
    {
      title: 'Expectations of wallets',
      description: 'Whether each wallet has and does what the configuration declares. A gap: it could not be told.',
    },
    24,
    expectationStates,
    metByWallets(ofWallets).map(([family, expr]) => [
      `{{network}} {{address}} {{chain}} {{expectation}} (${family.replace('_', ' ')})`,
      expr,
    ]),
  ),
  graph(
    {
      title: 'What can be spent',
      description: 'Tokens that each wallet can spend at once on each chain, and the minimum where one is declared.',
      unit: 'short',
    },
    12,
    [
      ['{{network}} {{address}} {{chain}}', spendable],
      ['{{network}} {{address}} {{chain}} minimum', minimum],
    ],
  )
    .min(0)
    .overrideByRegexp('/ minimum$/', limit),
  graph(
    {
      title: 'Balances by state',
      description: 'All that each wallet has of the staking token, by what it can do with it.',
      unit: 'short',
    },
    12,
    [['{{network}} {{address}} {{chain}} {{state}}', balance()]],
  ).min(0),
  graph(
    {
      title: 'Native balances',
      description: "What each wallet has of an EVM chain's own token.",
      unit: 'short',
    },
    8,
    [['{{network}} {{address}} {{chain}}', native]],
  ).min(0),
  graph(
    {
      title: 'Worth of native balances',
      description: 'What the native balances are worth in the currency of the configuration, where a price is known.',
      unit: 'short',
    },
    8,
    [['{{network}} {{address}} {{chain}} {{currency}}', worth]],
  ).min(0),
  graph(
    {
      title: 'Balances as nodes add them up',
      description: 'On the P-Chain, staked tokens left out. Where the data service says otherwise, one of them lags.',
      unit: 'short',
    },
    8,
    [['{{network}} {{address}} {{state}}', one(`${WALLET}, state`, 'stakewatch_node_address_balance_tokens')]],
  ).min(0),
  graph(
    {
      title: 'Unspent outputs',
      description: 'Number of outputs of the staking token by state; one that only grows wants to be merged.',
      unit: 'none',
    },
    8,
    [['{{network}} {{address}} {{chain}} {{state}}', `sum by (${STATES}) (${outputs('utxos')})`]],
  ).min(0),
  graph(
    {
      title: 'What unspent outputs hold',
      description: 'Tokens in the outputs by their type, whatever their state.',
      unit: 'short',
    },
    8,
    [['{{network}} {{address}} {{chain}} {{utxo_type}}', `sum by (${PLACE}, utxo_type) (${outputs('utxo_tokens')})`]],
  ).min(0),
  graph(
    {
      title: 'Time to the next unlock',
      description: 'Until the next of the locked outputs can be spent, stakes left out.',
      unit: 's',
    },
    8,
    [['{{network}} {{address}} {{chain}}', unlock]],
  ).min(0),
]

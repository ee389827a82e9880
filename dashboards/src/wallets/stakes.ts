// Stakes of wallets: when they end, what they will earn, and what was earned.

import { DAY, graph, table } from '../panels.ts'
import { ofWallets, WALLET } from '../select.ts'

const { age, grown, left, one } = ofWallets
const TYPE = `${WALLET}, reward_type`
const running = one(`${WALLET}, tx_type`, 'stakewatch_address_stakes')
const pending = one(TYPE, 'stakewatch_address_pending_reward_tokens')
const ENDS = ['text', [0, 'orange'], [7 * DAY, 'text']] as const

export const stakes = [
  table({
    text: {
      title: 'Stakes',
      description:
        'What each wallet has staked. Estimated: what its stakes earn if they are rewarded, as their transactions say. Incomplete: stakes that do not say what they earn or when they end, and are left out there. Pending: the same as the data service lists it, with the fees from delegators. In other assets: pending rewards that are not in the staking token, and so are in no sum.',
    },
    height: 7,
    keys: [
      ['address', 'Wallet'],
      ['network', 'Network'],
    ],
    columns: [
      { title: 'Stakes', expr: `sum by (${WALLET}) (${running})` },
      { title: 'Staked', expr: one(WALLET, 'stakewatch_address_staked_tokens'), unit: 'short' },
      {
        title: 'Next end in',
        expr: left(WALLET, 'stakewatch_address_stake_next_end_timestamp_seconds'),
        unit: 's',
        marks: ENDS,
      },
      { title: 'Estimated', expr: one(WALLET, 'stakewatch_address_estimated_reward_tokens'), unit: 'short' },
      {
        title: 'Incomplete',
        expr: `sum by (${WALLET}) (${one(`${WALLET}, lacks`, 'stakewatch_address_stakes_incomplete')})`,
      },
      { title: 'Pending', expr: `sum by (${WALLET}) (${pending})`, unit: 'short' },
      {
        title: 'Next reward in',
        expr: left(WALLET, 'stakewatch_address_pending_reward_next_end_timestamp_seconds'),
        unit: 's',
      },
      {
        title: 'In other assets',
        expr: one(WALLET, 'stakewatch_address_pending_rewards_other_assets'),
      },
      { title: 'Last reward', expr: age(WALLET, 'stakewatch_last_reward_timestamp_seconds'), unit: 's' },
      { title: 'Without a price', expr: one(WALLET, 'stakewatch_rewards_unpriced') },
    ],
    sortBy: ['Next end in'],
  }),
  table({
    text: {
      title: 'Rewards',
      description:
        'Paid: tokens of the rewards in the time shown. Worth: their value at their historical prices, which may come days later. Pending: tokens that the running stakes will earn, and the number of these rewards.',
    },
    height: 8,
    keys: [
      ['address', 'Wallet'],
      ['network', 'Network'],
      ['reward_type', 'Type'],
      ['currency', 'Currency'],
    ],
    columns: [
      { title: 'Paid', expr: grown(TYPE, 'stakewatch_rewards_tokens_total'), unit: 'short' },
      { title: 'Worth', expr: grown(`${TYPE}, currency`, 'stakewatch_rewards_value_total'), unit: 'short' },
      { title: 'Pending', expr: pending, unit: 'short' },
      { title: 'Pending, of', expr: one(TYPE, 'stakewatch_address_pending_rewards') },
    ],
    sortBy: ['Wallet', 'Type'],
  }),
  graph(
    {
      title: 'Staked',
      description: 'What each wallet has staked. A stake that ended and was not made anew earns nothing.',
      unit: 'short',
    },
    8,
    [['{{network}} {{address}}', one(WALLET, 'stakewatch_address_staked_tokens')]],
  ).min(0),
  graph(
    {
      title: 'Stakes by type',
      description: 'Number of stakes that run, by the type of the transaction that made them.',
      unit: 'none',
    },
    8,
    [['{{network}} {{address}} {{tx_type}}', running]],
  ).min(0),
  graph(
    {
      title: 'Pending rewards of wallets',
      description: 'Tokens that each wallet gets if its running stakes are rewarded.',
      unit: 'short',
    },
    8,
    [['{{network}} {{address}} {{reward_type}}', pending]],
  ).min(0),
]

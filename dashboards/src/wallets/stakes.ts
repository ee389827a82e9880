// Stakes of wallets: when they end, what they will earn, and what they earned.

import { thresholds } from '../../../src/alerts/thresholds.ts'
import { bars, graph, NEUTRAL } from '../panels.ts'
import { ofWallets, WALLET } from '../select.ts'
import { NETWORK_KEY, table } from '../table.ts'
import { COUNT, SECONDS, TOKENS } from '../units.ts'

const { age, came, grown, left, one } = ofWallets
const TYPE = `${WALLET}, reward_type`
const running = one(`${WALLET}, tx_type`, 'address_stakes')
const pending = one(TYPE, 'address_pending_reward_tokens')
const nextReward = left(WALLET, 'address_pending_reward_next_end_timestamp_seconds')

export const stakes = [
  table({
    text: {
      title: 'Stakes',
      description:
        "Stakes of each wallet, the next end first. Renewing: stakes that go on by themselves, without an end. Estimated: reward of its stakes if they are rewarded, as their transactions state it. Incomplete: stakes that do not state reward or end, and are left out there. Pending: the data service's list of rewards, with fees from delegators. Others: pending rewards in other assets, which no sum includes. Not priced: rewards without a price so far.",
    },
    height: 7,
    keys: [{ label: 'address', title: 'Wallet' }, NETWORK_KEY],
    rows: one(WALLET, 'address_staked_tokens'),
    columns: [
      { title: 'Next end', expr: left(WALLET, 'address_stake_next_end_timestamp_seconds'), unit: SECONDS },
      { title: 'Renewing', expr: one(WALLET, 'address_stakes_renewing'), unit: COUNT },
      { title: 'Stakes', expr: `sum by (${WALLET}) (${running})`, unit: COUNT },
      { title: 'Staked', expr: one(WALLET, 'address_staked_tokens'), unit: TOKENS },
      { title: 'Estimated', expr: one(WALLET, 'address_estimated_reward_tokens'), unit: TOKENS },
      {
        title: 'Incomplete',
        expr: `sum by (${WALLET}) (${one(`${WALLET}, lacks`, 'address_stakes_incomplete')})`,
        unit: COUNT,
      },
      { title: 'Pending', expr: `sum by (${WALLET}) (${pending})`, unit: TOKENS },
      {
        title: 'Reward in',
        expr: nextReward,
        unit: SECONDS,
        marks: ['red', [-thresholds.rewardOverdue, 'text']],
      },
      { title: 'Last reward', expr: age(WALLET, 'last_reward_timestamp_seconds'), unit: SECONDS },
      { title: 'Others', expr: one(WALLET, 'address_pending_rewards_other_assets'), unit: COUNT },
      { title: 'Not priced', expr: one(WALLET, 'rewards_unpriced'), unit: COUNT },
    ],
    sortBy: ['Next end'],
  }),
  table({
    text: {
      title: 'Rewards',
      description:
        'Paid: tokens of the rewards in the time shown. Pending: tokens that the running stakes will earn, and the number of these rewards.',
    },
    height: 8,
    keys: [
      { label: 'address', title: 'Wallet', letters: 16 },
      NETWORK_KEY,
      { label: 'reward_type', title: 'Type', letters: 16 },
    ],
    rows: `${pending} or ${one(TYPE, 'address_pending_rewards')}`,
    columns: [
      { title: 'Paid', expr: grown(TYPE, 'rewards_tokens_total'), unit: TOKENS },
      { title: 'Pending', expr: pending, unit: TOKENS },
      { title: 'Number', expr: one(TYPE, 'address_pending_rewards'), unit: COUNT },
    ],
    sortBy: ['Wallet', 'Type'],
  }),
  bars(
    {
      title: 'Rewards paid',
      description: 'Tokens of the rewards paid per step of the graph.',
      unit: TOKENS,
    },
    '1h',
    [['{{address}} {{network}} {{reward_type}}', came(TYPE, 'rewards_tokens_total')]],
  ).colorScheme(NEUTRAL),
  bars(
    {
      title: 'Value of rewards',
      description:
        'Value of the rewards of each step of the graph at their historical prices, which may arrive days later.',
      unit: 'short',
    },
    '1h',
    [
      [
        '{{address}} {{network}} {{currency}}',
        `sum by (${WALLET}, currency) (${came(`${TYPE}, currency`, 'rewards_value_total')})`,
      ],
    ],
  ).colorScheme(NEUTRAL),
  graph(
    {
      title: 'Staked',
      description: 'Staked tokens of each wallet. A stake that ended and was not renewed earns nothing.',
      unit: TOKENS,
    },
    [['{{address}} {{network}}', one(WALLET, 'address_staked_tokens')]],
    { columns: 24, isStacked: true },
  ).colorScheme(NEUTRAL),
]

// What wallets do: their transactions and transfers, what these cost, and when something last left.

import { graph, table } from '../panels.ts'
import { ofWallets, PLACE } from '../select.ts'

const { age, grown, perSecond } = ofWallets
const TYPE = `${PLACE}, tx_type`
const TRANSFER = `${PLACE}, direction, token`
const transactionsTotal = 'stakewatch_address_transactions_total'
const transfersTotal = 'stakewatch_erc20_transfers_total'
const lastOutgoing = age(PLACE, 'stakewatch_address_last_outgoing_timestamp_seconds')
const lastTransfer = age(PLACE, 'stakewatch_address_last_erc20_outgoing_timestamp_seconds')

const transfers = (direction: string) =>
  `sum by (${PLACE}) (${grown(TRANSFER, transfersTotal, `direction="${direction}"`)})`

/** A transaction in a minute is a lot for a wallet. */
const perHour = (by: string, name: string) => `${perSecond(by, name)} * 3600`

export const transactions = [
  table({
    text: {
      title: 'What wallets did',
      description:
        'In the time shown, on each chain: transactions, what they burned, transfers of ERC-20 tokens; and how long ago the last of each was. Outgoing: something left the wallet, be it a fee.',
    },
    height: 9,
    keys: [
      ['address', 'Wallet'],
      ['network', 'Network'],
      ['chain', 'Chain'],
    ],
    columns: [
      { title: 'Transactions', expr: `sum by (${PLACE}) (${grown(TYPE, transactionsTotal)})`, unit: 'short' },
      { title: 'Burned', expr: grown(PLACE, 'stakewatch_address_burned_tokens_total'), unit: 'short' },
      {
        title: 'Last transaction',
        expr: age(PLACE, 'stakewatch_address_last_transaction_timestamp_seconds'),
        unit: 's',
      },
      { title: 'Last outgoing', expr: lastOutgoing, unit: 's' },
      { title: 'ERC-20 in', expr: transfers('in'), unit: 'short' },
      { title: 'ERC-20 out', expr: transfers('out'), unit: 'short' },
      { title: 'Last ERC-20 outgoing', expr: lastTransfer, unit: 's' },
    ],
    sortBy: ['Wallet', 'Chain'],
  }),
  graph(
    {
      title: 'Transactions by type',
      description: 'Transactions of all chosen wallets per hour, by chain and type.',
      unit: 'short',
    },
    12,
    [['{{network}} {{chain}} {{tx_type}}', `sum by (network, chain, tx_type) (${perHour(TYPE, transactionsTotal)})`]],
  ).min(0),
  graph(
    {
      title: 'Fees burned',
      description: 'Tokens that the outgoing transactions of each wallet burned, per hour.',
      unit: 'short',
    },
    12,
    [['{{network}} {{address}} {{chain}}', perHour(PLACE, 'stakewatch_address_burned_tokens_total')]],
  ).min(0),
  graph(
    {
      title: 'Time since the last outgoing',
      description:
        'Time since something last left each wallet. Where nobody expects it to fall to zero, look who signed.',
      unit: 's',
    },
    8,
    [
      ['{{network}} {{address}} {{chain}}', lastOutgoing],
      ['{{network}} {{address}} {{chain}} (ERC-20)', lastTransfer],
    ],
  ).min(0),
  graph(
    {
      title: 'ERC-20 transfers',
      description: 'Transfers to and from each wallet per hour; tokens that are not configured are other.',
      unit: 'short',
    },
    8,
    [['{{network}} {{address}} {{chain}} {{token}} {{direction}}', perHour(TRANSFER, transfersTotal)]],
  ).min(0),
  graph(
    {
      title: 'ERC-20 tokens moved',
      description: 'What the transfers of the configured tokens say they moved, in whole tokens per hour.',
      unit: 'short',
    },
    8,
    [
      [
        '{{network}} {{address}} {{chain}} {{token}} {{direction}}',
        perHour(TRANSFER, 'stakewatch_erc20_transferred_tokens_total'),
      ],
    ],
  ).min(0),
]

// Transactions and transfers of wallets, their cost, and when something last left.

import { bars, graph } from '../panels.ts'
import { inDays, ofWallets, PLACE, whole } from '../select.ts'
import { NETWORK_KEY, table } from '../table.ts'
import { COUNT, DAYS, SECONDS, TOKENS } from '../units.ts'

const { age, came, grown, one } = ofWallets
const NAME = '{{address}} {{chain}} {{network}}'
const TYPE = `${PLACE}, tx_type`
const TRANSFER = `${PLACE}, direction, token`
const lastOutgoing = age(PLACE, 'address_last_outgoing_timestamp_seconds')
const lastTransfer = age(PLACE, 'address_last_erc20_outgoing_timestamp_seconds')

const transfers = (direction: string) =>
  `sum by (${PLACE}) (${whole(grown(TRANSFER, 'erc20_transfers_total', `direction="${direction}"`))})`

export const transactions = [
  table({
    text: {
      title: 'Wallet activity',
      description:
        'Per chain in the time shown: transactions, burned tokens and ERC-20 transfers; and the time since the last of each, the latest sent first, with its amount of staking tokens. Sent: something left the wallet, even if only a fee.',
    },
    height: 9,
    keys: [{ label: 'address', title: 'Wallet' }, NETWORK_KEY, { label: 'chain', title: 'Chain' }],
    rows: `${one(PLACE, 'address_last_transaction_timestamp_seconds')} or ${one(PLACE, 'address_last_erc20_outgoing_timestamp_seconds')}`,
    columns: [
      { title: 'Last sent', expr: lastOutgoing, unit: SECONDS },
      { title: 'Amount', expr: one(PLACE, 'address_last_outgoing_tokens'), unit: TOKENS },
      {
        title: 'Transactions',
        expr: `sum by (${PLACE}) (${whole(grown(TYPE, 'address_transactions_total'))})`,
        unit: COUNT,
      },
      { title: 'Burned', expr: grown(PLACE, 'address_burned_tokens_total'), unit: TOKENS },
      { title: 'Last one', expr: age(PLACE, 'address_last_transaction_timestamp_seconds'), unit: SECONDS },
      { title: 'ERC-20 in', expr: transfers('in'), unit: COUNT },
      { title: 'ERC-20 out', expr: transfers('out'), unit: COUNT },
      { title: 'ERC-20 last out', expr: lastTransfer, unit: SECONDS },
    ],
    sortBy: ['Last sent'],
  }),
  bars(
    {
      title: 'Transactions by type',
      description: 'Transactions of all selected wallets per step of the graph, by chain and type.',
      unit: COUNT,
    },
    '15m',
    [
      [
        '{{chain}} {{network}} {{tx_type}}',
        `sum by (network, chain, tx_type) (${whole(came(TYPE, 'address_transactions_total'))})`,
      ],
    ],
  ),
  bars(
    {
      title: 'Fees burned',
      description: "Tokens burned by each wallet's outgoing transactions, per step of the graph.",
      unit: TOKENS,
    },
    '15m',
    [[NAME, came(PLACE, 'address_burned_tokens_total')]],
  ),
  graph(
    {
      title: 'Time since the last outgoing',
      description:
        'Time since something last left each wallet. If an unexpected drop to zero appears, find out who signed.',
      unit: DAYS,
    },
    [
      [NAME, inDays(lastOutgoing)],
      [`${NAME} (ERC-20)`, inDays(lastTransfer)],
    ],
    { isBadWhenLow: true },
  ).min(0),
  bars(
    {
      title: 'ERC-20 transfers',
      description: 'Transfers to and from each wallet per step of the graph; tokens that are not configured are other.',
      unit: COUNT,
    },
    '15m',
    [[`${NAME} {{token}} {{direction}}`, whole(came(TRANSFER, 'erc20_transfers_total'))]],
  ),
  bars(
    {
      title: 'ERC-20 tokens moved',
      description: 'Whole tokens moved by transfers of the configured tokens, per step of the graph.',
      unit: TOKENS,
    },
    '15m',
    [[`${NAME} {{token}} {{direction}}`, came(TRANSFER, 'erc20_transferred_tokens_total')]],
    24,
  ),
]

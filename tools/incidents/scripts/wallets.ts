// What happens to wallets.

import { action, fault, type Incident, notThere, pages, repair, warns } from '../incident.ts'

const MINUTE = 60

export const wallets: readonly Incident[] = [
  {
    name: 'something leaves a wallet that nothing may leave',
    scenery: { nodes: 'bystander' },
    minutes: 20,
    orders: ({ vault }) => ({ 0: [action({ kind: 'drain', chain: 'P', address: vault })] }),
    // Transactions are read four times an hour.
    alerts: [
      pages('StakewatchUnexpectedOutflow', [{ address: 'vault' }], {
        within: 16,
        fills: { wallet: { leaving: 'wallets/Expectations of wallets', changed: 'wallets/Expectations of wallets' } },
      }),
    ],
  },
  {
    name: 'a wallet runs low, and is filled again',
    scenery: { nodes: 'bystander' },
    minutes: 48,
    orders: ({ relayer }) => ({
      0: [action({ kind: 'drain', chain: 'C', address: relayer })],
      25: [action({ kind: 'fund', chain: 'C', address: relayer, amount: '2000000000000000000' })],
    }),
    // The balance is read once in five minutes, and must be low for five.
    alerts: [
      pages('StakewatchWalletLow', [{ address: 'relayer' }], {
        within: 11,
        until: 38,
        fills: {
          wallet: { 'running out': ['wallets/Unmet', 'wallets/What can be spent'] },
          route: { 'running out': 'wallets/What can be spent' },
        },
      }),
    ],
  },
  {
    // Its balances are not new then, and repeated as soon as they are.
    name: 'a wallet runs low, and the data service goes back to before that, twice',
    scenery: { nodes: 'bystander' },
    minutes: 100,
    orders: ({ relayer }) => ({
      0: [action({ kind: 'drain', chain: 'C', address: relayer })],
      // For long enough that its lists are believed in the end.
      15: [action({ kind: 'relist', seconds: 60 * MINUTE })],
      45: [action({ kind: 'lag', seconds: 0 })],
      // It has been filled when that is over.
      60: [action({ kind: 'relist', seconds: 65 * MINUTE })],
      62: [action({ kind: 'fund', chain: 'C', address: relayer, amount: '2000000000000000000' })],
      70: [action({ kind: 'lag', seconds: 0 })],
    }),
    alerts: [
      pages('StakewatchWalletLow', [{ address: 'relayer' }], { until: 82 }),
      warns('StakewatchDataServiceBehind', [{ chain: 'p-chain' }, { chain: 'c-chain' }, { chain: 'orchard' }], {
        at: 15,
        within: 5,
        until: 56,
      }),
      warns('StakewatchDataServiceBehind', [{ chain: 'p-chain' }, { chain: 'c-chain' }, { chain: 'orchard' }], {
        at: 60,
        within: 5,
        until: 81,
      }),
    ],
  },
  {
    name: 'a wallet was low and is filled, and the data service goes back to when it was low',
    scenery: { nodes: 'bystander' },
    minutes: 80,
    orders: ({ relayer }) => ({
      0: [action({ kind: 'drain', chain: 'C', address: relayer })],
      22: [action({ kind: 'fund', chain: 'C', address: relayer, amount: '2000000000000000000' })],
      45: [action({ kind: 'relist', seconds: 40 * MINUTE })],
      62: [action({ kind: 'lag', seconds: 0 })],
    }),
    alerts: [
      pages('StakewatchWalletLow', [{ address: 'relayer' }], { within: 11, until: 36 }),
      warns('StakewatchDataServiceBehind', [{ chain: 'p-chain' }, { chain: 'c-chain' }, { chain: 'orchard' }], {
        at: 45,
        within: 5,
        until: 73,
      }),
    ],
  },
  {
    name: 'the data service has no balances of EVM chains any more',
    scenery: { nodes: 'bystander' },
    minutes: 40,
    orders: () => ({ 0: [fault('data', notThere, 'get-native-token-balance')] }),
    // The last balance holds for a quarter of an hour.
    alerts: [
      warns('StakewatchWalletUnknown', [{ address: 'relayer' }], {
        at: 10,
        within: 42,
        fills: { wallet: { unknown: 'wallets/Unknown' } },
      }),
    ],
  },
  {
    name: 'a reward has not come six hours after its stake was over',
    minutes: 430,
    sampleMinutes: 15,
    scenery: { pollMinutes: 15 },
    orders: ({ staker }) => ({
      0: [
        action({ kind: 'hold-rewards' }),
        action({ kind: 'set-end', nodeId: staker, seconds: 20 * MINUTE, isLast: true }),
      ],
    }),
    alerts: [
      warns('StakewatchRewardOverdue', [{ address: 'vault' }], {
        at: 380,
        within: 45,
        fills: { wallet: { stalled: 'wallets/Stakes' } },
      }),
    ],
  },
  {
    name: 'a node is down and a wallet is drained',
    minutes: 46,
    orders: ({ vault }) => ({
      0: [fault('node-b', { kind: 'reset' }), action({ kind: 'drain', chain: 'P', address: vault })],
      30: [repair],
    }),
    alerts: [
      warns('StakewatchUpstreamDown', [{ source: 'node-b' }], { until: 40 }),
      pages('StakewatchUnexpectedOutflow', [{ address: 'vault' }], { within: 16 }),
    ],
  },
]

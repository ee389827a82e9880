// What happens where upstreams are slow, and where a budget is used up.

import { action, fault, type Incident, pages, warns } from '../incident.ts'

const late = { kind: 'latency', ms: 3_000 }

export const budgets: readonly Incident[] = [
  {
    name: 'all answers are three seconds late',
    minutes: 17,
    scenery: { stepSeconds: 3 },
    orders: () => ({ 0: ['node-a', 'node-b', 'data', 'metrics'].map((server) => fault(server, late)) }),
    alerts: [],
  },
  {
    name: 'the budget of the data service is used up, and a wallet is drained',
    minutes: 60,
    // A part of what the plan needs: wallets and L1 validators fit into it, blocks do not.
    scenery: { nodes: 'bystander', budget: '{ per_minute: 1000, per_day: 50000 }' },
    orders: ({ relayer }) => ({ 40: [action({ kind: 'drain', chain: 'C', address: relayer })] }),
    alerts: [
      warns('StakewatchBudgetExhausted', [{ source: 'data-api' }], {
        at: 0,
        within: 45,
        fills: { self: { 'running out': 'self/API budget left' } },
      }),
      // Balances about which an alert pages are read as without a limit, every five minutes; then it waits for five.
      pages('StakewatchWalletLow', [{ address: 'relayer' }], { at: 40, within: 12 }),
    ],
  },
  {
    name: 'the data service allows a thirtieth of what is needed, and wallets are drained',
    minutes: 60,
    // All that is needed for wallets whose alerts page is a quarter more than that: they are read so much less often.
    scenery: { nodes: 'bystander', budget: '{ per_day: 12000 }' },
    orders: ({ relayer, vault }) => ({
      30: [
        action({ kind: 'drain', chain: 'C', address: relayer }),
        action({ kind: 'drain', chain: 'P', address: vault }),
      ],
    }),
    alerts: [
      warns('StakewatchBudgetExhausted', [{ source: 'data-api' }], { at: 5, within: 10 }),
      pages('StakewatchWalletLow', [{ address: 'relayer' }], { at: 30, within: 15 }),
      pages('StakewatchUnexpectedOutflow', [{ address: 'vault' }], { at: 30, within: 17 }),
    ],
  },
]

// What is no longer as the configuration declares it.

import { action, fault, type Incident, notThere, warns } from '../incident.ts'

const DAY = 86_400
const AVAX = 1_000_000_000

export const expectations: readonly Incident[] = [
  {
    name: 'the index and the admin interface of a node are turned off',
    minutes: 24,
    orders: () => ({
      0: [
        action({ kind: 'disable', node: 'node-b', api: 'index' }),
        action({ kind: 'disable', node: 'node-a', api: 'admin' }),
      ],
    }),
    alerts: [
      warns(
        'StakewatchExpectationNotMet',
        [{ source: 'node-b', chain: 'p-chain' }, { source: 'node-b', chain: 'c-chain' }, { source: 'node-a' }],
        { fills: { node: { changed: 'chains/Heads of nodes' } } },
      ),
    ],
  },
  {
    name: 'a stake is over, and the next one has another fee',
    scenery: { nodes: 'bystander' },
    minutes: 25,
    orders: ({ validators: { charlie } }) => ({
      0: [action({ kind: 'set-end', nodeId: charlie, seconds: 30, isLast: true })],
      2: [
        action({
          kind: 'stake',
          nodeId: charlie,
          amount: 2_000 * AVAX,
          reward: 100 * AVAX,
          fee: 10,
          duration: 200 * DAY,
        }),
      ],
    }),
    alerts: [
      warns('StakewatchExpectationNotMet', [{ validator: 'charlie', expectation: 'delegation_fee' }], {
        fills: { primary: { changed: 'fleet/Expectations of validators' } },
      }),
    ],
  },
  {
    name: 'the data service does not tell transactions of wallets any more',
    scenery: { nodes: 'bystander' },
    minutes: 80,
    orders: () => ({ 0: [fault('data', notThere, 'list-latest-transactions')] }),
    // An hour after the last answer has become too old.
    alerts: [
      warns('StakewatchExpectationUnknown', [{ address: 'vault', expectation: 'outgoing' }], {
        at: 60,
        within: 60,
        fills: { wallet: { unknown: 'self/Expectations known' } },
      }),
    ],
  },
]

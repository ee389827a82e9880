// What happens to chains, and to what upstreams report of them.

import { action, fault, type Incident, informs, notThere, pages, warns } from '../incident.ts'
import { ESSENTIAL } from '../stage.ts'
import { lasting, weighing } from './subnets.ts'

const DAY = 86_400

const traffic = (factor: number) => [action({ kind: 'set-traffic', chain: 'C', factor })]

export const chains: readonly Incident[] = [
  {
    name: 'the C-Chain stands still',
    minutes: 10,
    orders: () => ({ 0: [action({ kind: 'halt-chain', chain: 'C' })] }),
    alerts: [
      pages('StakewatchChainStalled', [{ chain: 'c-chain' }], {
        at: 2,
        fills: { cChain: { stalled: ['fleet/Chain stalled', 'chains/Age of the heads'] } },
      }),
    ],
  },
  {
    name: 'the P-Chain stands still, and goes on after ten minutes',
    minutes: 26,
    orders: () => ({
      0: [action({ kind: 'halt-chain', chain: 'P' })],
      10: [action({ kind: 'resume-chain', chain: 'P' })],
    }),
    alerts: [
      pages('StakewatchChainStalled', [{ chain: 'p-chain' }], {
        at: 2,
        until: 20,
        fills: { pChain: { stalled: ['fleet/Chain stalled', 'chains/Age of the heads'] } },
      }),
    ],
  },
  {
    name: 'the process of an L1 that no data service lists dies on both nodes',
    minutes: 14,
    orders: ({ chains: { orchard } }) => ({
      [-5]: [fault('data', notThere, 'list-latest-evm-blocks')],
      0: ['node-a', 'node-b'].map((node) => action({ kind: 'kill-chain', node, blockchainId: orchard })),
    }),
    alerts: [
      pages('StakewatchChainProcessDead', [{ source: 'node-a' }, { source: 'node-b' }], {
        fills: { evmChain: { unhealthy: 'chains/Chain dead' } },
      }),
      pages('StakewatchChainNotRunning', [{ chain: 'orchard' }], {
        fills: { evmChain: { unhealthy: 'chains/Heads of nodes' } },
      }),
    ],
  },
  {
    name: 'the data service falls behind, and then further',
    minutes: 40,
    // So slow that the list lacks three or four blocks of it.
    scenery: { paces: { C: 100 } },
    orders: () => ({
      0: [action({ kind: 'lag', seconds: 180 })],
      20: [action({ kind: 'lag', seconds: 350 })],
    }),
    alerts: [
      warns('StakewatchDataServiceBehind', [{ chain: 'p-chain' }, { chain: 'c-chain' }, { chain: 'orchard' }], {
        at: 22,
        within: 6,
        fills: {
          pChain: { lagging: 'chains/Heads' },
          evmChain: { lagging: 'chains/Heads' },
          wallet: { lagging: 'chains/Heads' },
          service: { lagging: 'chains/Heads' },
        },
      }),
    ],
  },
  {
    name: 'the data service falls behind, and of a slow chain it lacks two or three blocks at most',
    minutes: 30,
    scenery: { nodes: 'bystander', paces: { C: 170 }, stallAfter: '5m' },
    // Two and a half blocks of the slow one.
    orders: () => ({ 0: [action({ kind: 'lag', seconds: 425 })] }),
    alerts: [warns('StakewatchDataServiceBehind', [{ chain: 'p-chain' }, { chain: 'orchard' }], { at: 2 })],
  },
  {
    name: 'the data service says that an L1 validator has a balance, and the node that it has none',
    minutes: 66,
    orders: ({ orchard: [, , , d, , , g] }) => ({
      // A heavy one, without which the L1 stands still anyhow, so that the lightest one can go.
      [-5]: [weighing(d, 170), fault('data', { kind: 'cached' }, 'list-l1-validators')],
      0: [lasting(g, 30)],
    }),
    alerts: [
      pages('StakewatchL1ValidatorInactive'),
      // It takes an hour, as some of what is compared is polled hourly.
      warns('StakewatchSourcesDisagree', [{ subnet: 'orchard' }], {
        at: 60,
        within: 5,
        fills: {
          l1Validator: { contradicted: 'validator/Balance of the validator' },
          service: { contradicted: 'validator/Balance of the validator' },
        },
      }),
    ],
  },
  {
    name: 'the index of a node stands still, first for a quarter of an hour and then for good',
    minutes: 56,
    orders: ({ validators: { bravo } }) => ({
      0: [action({ kind: 'stall-index', nodeId: bravo, chain: 'P' })],
      16: [action({ kind: 'resume-index', nodeId: bravo, chain: 'P' })],
      30: [action({ kind: 'stall-index', nodeId: bravo, chain: 'C' })],
    }),
    alerts: [
      warns('StakewatchIndexStalled', [{ source: 'node-b', chain: 'c-chain' }], {
        at: 40,
        within: 15,
        fills: { node: { stalled: 'chains/Age of the newest blocks on nodes' } },
      }),
    ],
  },
  {
    name: 'a busy C-Chain takes no transactions any more',
    minutes: 190,
    sampleMinutes: 5,
    scenery: { paces: { C: 1 }, pollMinutes: 5, only: ['throughput', ...ESSENTIAL] },
    orders: () => ({
      // It has taken 0.09 a second in the day: too few for an alert.
      [-5]: traffic(0),
      // 0.12, of which an hour later 60 transactions are left, a seventh, and from minute 166 on 30, a fifteenth.
      70: traffic(5),
      75: traffic(0),
      105: traffic(0.5),
      106: traffic(0),
      150: traffic(0.25),
      151: traffic(0),
    }),
    alerts: [
      informs('StakewatchThroughputCollapsed', [{ chain: 'c-chain' }], {
        at: 170,
        within: 20,
        fills: { cChain: { unhealthy: 'chains/Transactions' } },
      }),
    ],
  },
  {
    name: 'the gas price of the P-Chain rises to eight times the least one, then to fifteen times',
    scenery: { nodes: 'bystander' },
    minutes: 40,
    orders: () => ({
      0: [action({ kind: 'set-gas-price', price: 8 })],
      20: [action({ kind: 'set-gas-price', price: 15 })],
    }),
    alerts: [
      informs('StakewatchGasPriceHigh', undefined, {
        at: 20,
        fills: { pChain: { 'running out': 'chains/Gas price of the P-Chain' } },
      }),
    ],
  },
  {
    name: 'an operator configures an unknown chain',
    scenery: { nodes: 'bystander', chains: ['{ id: 46WPtSJH9Mc1rNbRaWo6k2v6Bm8dc1FuCFxS2n6gFo7L5vAy5, name: typo }'] },
    orders: () => ({}),
    alerts: [
      warns('StakewatchChainUnknown', [{ chain: 'typo' }], {
        at: -6,
        within: 18,
        fills: { evmChain: { unknown: 'chains/Heads' } },
      }),
    ],
  },
  {
    name: 'the metrics service works out no averages for a day, and then for another one',
    minutes: 50,
    // The last update goes back by a day, which is believed after three runs.
    fails: ['avg-tps'],
    scenery: { nodes: 'bystander', collectors: { 'avg-tps': 'every: 5m' } },
    orders: () => ({
      0: [action({ kind: 'freeze-averages', seconds: DAY })],
      25: [action({ kind: 'freeze-averages', seconds: 2 * DAY })],
    }),
    alerts: [
      warns('StakewatchDataStale', [{ chain: 'c-chain' }, { chain: 'orchard' }], {
        at: 25,
        fills: { service: { stalled: 'chains/Heads' } },
      }),
    ],
  },
  {
    name: 'the data service lists L1 validators out of a cache',
    scenery: { nodes: 'bystander' },
    minutes: 80,
    orders: () => ({
      [-5]: [fault('data', { kind: 'cached' }, 'list-l1-validators')],
    }),
    alerts: [
      warns('StakewatchDataStale', [{ subnet: 'orchard' }], {
        at: 50,
        fills: { l1: { lagging: 'l1s/Age of listed balances' }, service: { stalled: 'l1s/Age of listed balances' } },
      }),
    ],
  },
]

// What happens to the nodes.

import { panelId } from '../../../src/alerts/rule.ts'
import { action, fault, gone, type Incident, pages, repair, status, warns } from '../incident.ts'

const DAY = 86_400

const toNetwork = (networkId: number) => action({ kind: 'move-network', node: 'node-b', networkId })

export const nodes: readonly Incident[] = [
  {
    name: 'a node is moved to another network',
    minutes: 40,
    orders: () => ({
      0: [toNetwork(1)],
      // Asked at the wrong moment: no alert.
      1: [toNetwork(5)],
      6: [toNetwork(1)],
      20: [toNetwork(5)],
    }),
    alerts: [
      pages('StakewatchNodeOfOtherNetwork', [{ source: 'node-b' }], {
        // The poll of the next minute, and two for which the rule waits; then ten for which it holds.
        at: 9,
        within: 0,
        until: 30,
        says: {
          description:
            'The node at the address of node-b does not belong to fuji but to another network: everything stakewatch shows from it is wrong for fuji. Check its URL.',
          dashboard_url: `http://localhost:3000/d/stakewatch-chains?viewPanel=${panelId('Nodes themselves')}&var-network=fuji&var-source=node-b`,
        },
        fills: { node: { 'wrong identity': 'chains/Nodes themselves' } },
      }),
    ],
  },
  {
    name: 'a node restarts twice, and the second time it does not get on',
    minutes: 34,
    orders: () => ({
      0: [action({ kind: 'start', node: 'node-b' })],
      3: [action({ kind: 'bootstrap', node: 'node-b' })],
      8: [action({ kind: 'bootstrapped', node: 'node-b' })],
      20: [action({ kind: 'start', node: 'node-b' })],
      22: [action({ kind: 'bootstrap', node: 'node-b' })],
    }),
    // Five minutes are what a start may take.
    alerts: [pages('StakewatchOwnNodeUnhealthy', [{ source: 'node-b', check: 'bootstrapped' }], { at: 25 })],
  },
  {
    name: 'both nodes restart, and neither gets on',
    minutes: 16,
    orders: () => ({
      0: ['node-a', 'node-b'].map((node) => action({ kind: 'start', node })),
      2: ['node-a', 'node-b'].map((node) => action({ kind: 'bootstrap', node })),
    }),
    alerts: [pages('StakewatchOwnNodeUnhealthy', [{ source: 'node-a' }, { source: 'node-b' }], { at: 5, within: 8 })],
  },
  {
    name: 'the health checks of a node hang, first for six minutes and then for good',
    minutes: 31,
    orders: () => ({
      // A request gets the last round of checks.
      0: [fault('node-b', { kind: 'cached' }, 'health.health')],
      // Two minutes until they are late, and five for which the rule waits.
      6: [repair],
      20: [fault('node-b', { kind: 'cached' }, 'health.health')],
    }),
    alerts: [
      pages('StakewatchOwnNodeUnhealthy', [{ source: 'node-b' }], {
        at: 22,
        within: 7,
        fills: { node: { stalled: 'chains/Health checks of nodes' } },
      }),
    ],
  },
  {
    name: 'a node is on a fork of the P-Chain, and another one of the C-Chain',
    minutes: 12,
    orders: ({ validators: { alpha, bravo } }) => ({
      0: [action({ kind: 'fork', nodeId: alpha, chain: 'P' }), action({ kind: 'fork', nodeId: bravo, chain: 'C' })],
    }),
    alerts: [
      pages(
        'StakewatchNodeForked',
        [
          { source: 'node-a', chain: 'p-chain' },
          { source: 'node-b', chain: 'c-chain' },
        ],
        {
          fills: {
            node: { forked: 'chains/Forked' },
            pChain: { forked: 'chains/Forked' },
            cChain: { contradicted: 'chains/Forked' },
            service: { forked: 'chains/Forked' },
          },
        },
      ),
    ],
  },
  {
    name: 'the process of an L1 dies on a node',
    minutes: 10,
    orders: ({ chains }) => ({ 0: [action({ kind: 'kill-chain', node: 'node-b', blockchainId: chains.orchard })] }),
    alerts: [
      pages('StakewatchChainProcessDead', [{ source: 'node-b' }], {
        fills: { l1Validator: { unhealthy: 'l1s/Chains of L1s on nodes' }, node: { unhealthy: 'chains/Chain dead' } },
      }),
    ],
  },
  {
    name: 'a node restarts from an old snapshot, twice, the second one older',
    minutes: 35,
    // Its heights go back, which is believed after three runs.
    fails: ['head-check', 'index-head', 'evm-node-heads'],
    orders: ({ validators: { bravo } }) => ({
      0: [action({ kind: 'restore', nodeId: bravo, behind: 150, pace: 1 })],
      20: [action({ kind: 'restore', nodeId: bravo, behind: 300, pace: 1 })],
    }),
    alerts: [
      warns(
        'StakewatchNodeBehind',
        [
          { source: 'node-b', chain: 'p-chain' },
          { source: 'node-b', chain: 'c-chain' },
        ],
        {
          at: 20,
          fills: {
            node: { lagging: 'chains/Blocks behind the data service' },
            pChain: { lagging: 'chains/Blocks behind the data service' },
          },
        },
      ),
    ],
  },
  {
    name: 'one of two voters has not seen enough uptime of a node',
    minutes: 20,
    scenery: { nodes: 3 },
    orders: ({ validators: { alpha, bravo } }) => ({
      0: [action({ kind: 'set-past', nodeId: alpha, observer: bravo, seconds: 400 * DAY })],
    }),
    alerts: [
      warns('StakewatchRewardingStakeLow', [{ source: 'node-a' }], {
        fills: { node: { eroding: 'chains/Stake that would vote for the reward' } },
      }),
    ],
  },
  {
    name: 'first some and then most of the network is ready for an upgrade that a node does not know',
    minutes: 56,
    scenery: { nodes: 3 },
    orders: ({ nodes: [, , third], validators }) => ({
      [-5]: [action({ kind: 'schedule-upgrade', seconds: 20 * DAY, share: 0.25, without: [third] })],
      25: [
        action({ kind: 'schedule-upgrade', seconds: 20 * DAY, share: 0.9, without: [third] }),
        ...Object.values(validators).map((nodeId) => action({ kind: 'install-release', nodeId })),
      ],
    }),
    alerts: [
      warns('StakewatchNodeNotUpgraded', [{ source: 'node-c' }], {
        at: 47,
        within: 8,
        fills: { node: { lagging: 'chains/Not ready' } },
      }),
    ],
  },
  {
    name: 'the admin interface of a node is opened',
    minutes: 12,
    orders: () => ({ 0: [action({ kind: 'enable', node: 'node-b', api: 'admin' })] }),
    alerts: [
      pages('StakewatchAdminApiExposed', [{ source: 'node-b' }], {
        fills: { node: { changed: 'chains/Admin faults' } },
      }),
    ],
  },
  {
    name: 'a node whose health page is closed loses peers',
    minutes: 20,
    orders: ({ validators: { bravo } }) => ({
      [-5]: [fault('node-b', status(404), 'health.health')],
      0: [action({ kind: 'isolate', nodeId: bravo, share: 0.3 })],
    }),
    alerts: [
      warns('StakewatchPeerStakeLow', [{ source: 'node-b' }], {
        fills: { node: { unreachable: 'chains/Peers of nodes and the next upgrade' } },
      }),
    ],
  },
  {
    name: 'a node loses peers with a third of the stake',
    minutes: 14,
    orders: ({ validators: { bravo } }) => ({ 0: [action({ kind: 'isolate', nodeId: bravo, share: 0.34 })] }),
    // The consensus of each of its chains.
    alerts: [
      pages(
        'StakewatchOwnNodeUnhealthy',
        ['P', 'X', 'C'].map((check) => ({ source: 'node-b', check })),
        {
          fills: {
            primary: { unhealthy: 'chains/Health checks of nodes' },
            node: { unhealthy: 'chains/Health checks of nodes', unreachable: 'chains/Health checks of nodes' },
            pChain: { unhealthy: 'chains/Health checks of nodes' },
            cChain: { unhealthy: 'chains/Health checks of nodes' },
          },
        },
      ),
    ],
  },
  {
    name: 'an operator leaves a logger of a node on debug',
    orders: () => ({
      0: [
        {
          node: 'node-a',
          endpoint: '/ext/admin',
          method: 'admin.setLoggerLevel',
          params: { loggerName: 'C', logLevel: 'DEBUG' },
        },
      ],
    }),
    alerts: [
      warns('StakewatchLoggerVerbose', [{ source: 'node-a' }], {
        fills: { node: { changed: 'chains/Loggers of nodes' } },
      }),
    ],
  },
  {
    name: 'a node loses its staking key and comes back as another one',
    minutes: 10,
    scenery: { nodes: 3 },
    orders: ({ nodes: [, , third] }) => ({
      0: [
        action({
          kind: 'restore',
          nodeId: third,
          behind: 60,
          pace: 10,
          name: 'NodeID-6ZmBHXTqjknJoZtXbnJ6x7af863rXDTwx',
        }),
      ],
    }),
    alerts: [
      warns('StakewatchNodeExchanged', [{ source: 'node-c' }], {
        fills: { node: { 'wrong identity': 'chains/Nodes themselves' } },
      }),
    ],
  },
  {
    name: 'a node goes down, and the data service limits who asks it',
    minutes: 20,
    orders: () => ({ 0: [fault('node-b', gone), fault('data', status(429))] }),
    alerts: [
      warns('StakewatchUpstreamDown', [{ source: 'node-b' }]),
      warns('StakewatchRateLimited', [{ source: 'data-api' }]),
    ],
  },
  {
    name: 'a node restarts while the C-Chain stalls',
    minutes: 14,
    orders: () => ({
      0: [action({ kind: 'halt-chain', chain: 'C' }), action({ kind: 'start', node: 'node-b' })],
      2: [action({ kind: 'bootstrap', node: 'node-b' })],
      4: [action({ kind: 'bootstrapped', node: 'node-b' })],
    }),
    alerts: [pages('StakewatchChainStalled', [{ chain: 'c-chain' }], { at: 2 })],
  },
  {
    name: 'both nodes are down and the data service is away',
    minutes: 20,
    orders: () => ({ 0: [fault('node-a', gone), fault('node-b', gone), fault('data', status(503))] }),
    alerts: [pages('StakewatchNodesDown'), warns('StakewatchUpstreamDown', [{ source: 'data-api' }])],
  },
]

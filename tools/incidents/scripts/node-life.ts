// The life of a node: it starts, bootstraps, cannot create a chain, starts again and again, or is away for part of the time.

import { action, fault, gone, type Incident, type Order, pages, repair, warns } from '../incident.ts'

const HOUR = 60

/** The orders in every `every`th minute, `times` times. */
function repeated(times: number, every: number, orders: Readonly<Record<number, readonly Order[]>>) {
  const all = Array.from({ length: times }, (_, round) =>
    Object.entries(orders).map(([minute, some]) => [round * every + Number(minute), some] as const),
  )
  return Object.fromEntries(all.flat())
}

/** A restart that takes three minutes. */
const restart = (node: string) => ({
  0: [action({ kind: 'start', node })],
  1: [action({ kind: 'bootstrap', node })],
  3: [action({ kind: 'bootstrapped', node })],
})

const failChain = (node: string, blockchainId: string, subnetId: string) =>
  action({ kind: 'fail-chain', node, blockchainId, subnetId, reason: 'plugin' })

export const nodeLife: readonly Incident[] = [
  {
    name: 'both nodes restart, and their health checks have not run yet',
    minutes: 40,
    orders: () => {
      const { 0: start, 1: bootstrap, 3: done } = restart('node-b')
      return { ...restart('node-a'), 15: start, 16: bootstrap, 18: done }
    },
    alerts: [],
  },
  {
    name: 'a node that is a tracked validator bootstraps for an hour and a quarter',
    minutes: 75,
    orders: () => ({
      0: [action({ kind: 'start', node: 'node-b' })],
      2: [action({ kind: 'bootstrap', node: 'node-b' })],
    }),
    alerts: [pages('StakewatchOwnNodeUnhealthy', [{ source: 'node-b', check: 'bootstrapped' }], { at: 5, within: 8 })],
  },
  {
    name: 'a node that only watches bootstraps for an hour and a quarter',
    minutes: 75,
    scenery: { nodes: 3 },
    orders: () => ({
      0: [action({ kind: 'start', node: 'node-c' })],
      2: [action({ kind: 'bootstrap', node: 'node-c' })],
    }),
    alerts: [
      warns('StakewatchNodeBootstrapping', [{ source: 'node-c' }], {
        at: HOUR,
        within: 8,
        fills: { node: { stalled: 'chains/Nodes themselves' } },
      }),
    ],
  },
  {
    name: 'the plugin of an L1 is missing after a restart of its validator',
    minutes: 30,
    scenery: { ownL1: true },
    orders: ({ chains, subnet }) => ({
      0: [failChain('node-a', chains.orchard, subnet), action({ kind: 'start', node: 'node-a' })],
      1: [action({ kind: 'bootstrap', node: 'node-a' })],
      3: [action({ kind: 'bootstrapped', node: 'node-a' })],
    }),
    alerts: [
      pages('StakewatchOwnChainNotCreated', [{ source: 'node-a', subnet: 'orchard' }], {
        at: 1,
        within: 5,
        fills: {
          l1Validator: { unhealthy: 'chains/Nodes themselves' },
          node: { unhealthy: 'chains/Health checks of nodes' },
          evmChain: { unreachable: 'chains/Nodes themselves' },
          l1: { unreachable: 'chains/Nodes themselves' },
        },
      }),
    ],
  },
  {
    name: 'a node that only watches an L1 has no plugin for it',
    minutes: 30,
    scenery: { nodes: 3 },
    orders: ({ chains, subnet }) => ({ 0: [failChain('node-c', chains.orchard, subnet)] }),
    alerts: [
      warns('StakewatchChainNotCreated', [{ source: 'node-c', subnet: 'orchard' }], {
        within: 5,
        fills: {
          node: { unhealthy: 'chains/Health checks of nodes' },
          evmChain: { unreachable: 'chains/Nodes themselves' },
          l1: { unreachable: 'chains/Nodes themselves' },
        },
      }),
    ],
  },
  {
    name: 'a node that is a tracked validator restarts every five minutes for an hour',
    minutes: HOUR,
    orders: () => repeated(12, 5, restart('node-b')),
    alerts: [pages('StakewatchOwnNodeUnsteady', [{ source: 'node-b' }], { at: 10, within: 10 })],
  },
  {
    name: 'a node that is a tracked validator restarts three times, each time within half a minute',
    minutes: HOUR,
    orders: () =>
      repeated(3, 12, {
        0.4: [action({ kind: 'start', node: 'node-b' })],
        0.8: [action({ kind: 'bootstrapped', node: 'node-b' })],
      }),
    // Its checks tell within three runs.
    alerts: [pages('StakewatchOwnNodeUnsteady', [{ source: 'node-b' }], { at: 24, within: 8 })],
  },
  {
    name: 'a node that only watches restarts every five minutes for an hour',
    minutes: HOUR,
    scenery: { nodes: 3 },
    orders: () => repeated(12, 5, restart('node-c')),
    alerts: [
      warns('StakewatchUpstreamUnsteady', [{ source: 'node-c' }], {
        at: 10,
        within: 10,
        fills: { node: { flapping: 'self/Upstreams' } },
      }),
    ],
  },
  {
    name: 'a node that is a tracked validator is down for four of every six minutes',
    minutes: HOUR,
    orders: () => repeated(10, 6, { 0: [fault('node-b', gone)], 4: [repair] }),
    alerts: [
      pages('StakewatchOwnNodeUnsteady', [{ source: 'node-b' }], {
        at: 12,
        within: 10,
        fills: { node: { flapping: 'self/Upstreams' } },
      }),
    ],
  },
  {
    name: 'both nodes are down for four of every six minutes',
    minutes: HOUR,
    orders: () => repeated(10, 6, { 0: [fault('node-a', gone), fault('node-b', gone)], 4: [repair] }),
    alerts: [
      pages('StakewatchNodesUnsteady', undefined, {
        at: 12,
        within: 10,
        fills: { node: { flapping: 'self/Upstreams' } },
      }),
    ],
  },
  {
    name: 'the data service is down for four of every six minutes',
    minutes: HOUR,
    scenery: { nodes: 'bystander' },
    orders: () => repeated(10, 6, { 0: [fault('data', gone)], 4: [repair] }),
    alerts: [
      warns('StakewatchUpstreamUnsteady', [{ source: 'data-api' }], {
        at: 12,
        within: 10,
        fills: { service: { flapping: 'self/Upstreams' } },
      }),
    ],
  },
  {
    name: 'a node is down for six minutes, once',
    minutes: HOUR,
    scenery: { nodes: 3 },
    orders: () => ({ 0: [fault('node-c', gone)], 6: [repair] }),
    alerts: [],
  },
]

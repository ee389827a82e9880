// What happens to the rarer kinds of validators and chains, and to routes that no source has.

import { nodeIdOf } from '../../../src/simulator/world/ids.ts'
import { action, fault, type Incident, notThere, pages, warns } from '../incident.ts'
import { flapping } from './flapping.ts'

const india = [{ validator: 'india' }]

export const kinds: readonly Incident[] = [
  {
    name: 'a validator that the owner of a subnet added goes away, and comes back after twenty minutes',
    minutes: 40,
    scenery: { permissioned: true },
    orders: ({ permissioned: nodeId }) => ({
      0: [action({ kind: 'disconnect', nodeId })],
      20: [action({ kind: 'reconnect', nodeId })],
    }),
    // A poll sees it within a minute, and the rule holds for ten.
    alerts: [
      pages('StakewatchL1ValidatorDisconnected', india, {
        until: 31,
        fills: { permissioned: { offline: 'l1s/Connections to L1 validators' } },
      }),
    ],
  },
  {
    name: 'a validator that the owner of a subnet added is away for half of every 252 s',
    minutes: 80,
    scenery: { permissioned: true },
    orders: ({ permissioned: nodeId }) =>
      flapping(
        { period: 252, down: 0.5 },
        action({ kind: 'disconnect', nodeId }),
        action({ kind: 'reconnect', nodeId }),
      ),
    alerts: [
      warns('StakewatchValidatorUnsteady', india, {
        at: 8,
        within: 9,
        until: 65,
        fills: { permissioned: { flapping: 'validator/Connection by observer' } },
      }),
      pages('StakewatchValidatorFlapping', india, {
        at: 54,
        within: 8,
        fills: { permissioned: { flapping: 'validator/Connection by observer' } },
      }),
    ],
  },
  {
    name: 'the owner of a subnet removes a validator',
    minutes: 10,
    scenery: { permissioned: true },
    orders: ({ permissioned: nodeId }) => ({ 0: [action({ kind: 'remove-from-subnet', subnet: 'orchard', nodeId })] }),
    alerts: [pages('StakewatchValidatorGone', india, { fills: { permissioned: { leaving: 'fleet/Not in set' } } })],
  },
  {
    name: 'the only node that runs the chain of an L1 comes back as another one, which does not run it',
    minutes: 40,
    scenery: { nodes: 'bystander' },
    orders: ({ nodes: [, , third] }) => ({
      0: [action({ kind: 'restore', nodeId: third, behind: 60, pace: 10, name: nodeIdOf('newcomer') })],
    }),
    alerts: [
      warns('StakewatchNodeExchanged', [{ source: 'node-c' }]),
      // The last report of the chain holds for five minutes.
      warns('StakewatchValidatorUnobserved', [{ validator: 'golf' }], {
        at: 4,
        fills: { l1Validator: { unknown: 'l1s/Chains of L1s on nodes' } },
      }),
    ],
  },
  {
    name: 'the X-Chain stalls',
    minutes: 16,
    scenery: { chains: ['{ id: x-chain, stall_after: 5m }'] },
    orders: () => ({ 0: [action({ kind: 'halt-chain', chain: 'X' })] }),
    alerts: [
      pages('StakewatchChainStalled', [{ chain: 'x-chain' }], {
        at: 5,
        fills: { xChain: { stalled: ['fleet/Chain stalled', 'chains/Age of the heads'] } },
      }),
    ],
  },
  {
    name: 'the chain of an L1 stalls',
    minutes: 12,
    orders: ({ chains: { orchard } }) => ({ 0: [action({ kind: 'halt-chain', chain: orchard })] }),
    alerts: [
      pages('StakewatchChainStalled', [{ chain: 'orchard' }], {
        at: 2,
        fills: { evmChain: { stalled: ['fleet/Chain stalled', 'chains/Age of the heads'] } },
      }),
    ],
  },
  {
    name: 'the data service does not have the messages of routes any more',
    minutes: 110,
    sampleMinutes: 5,
    scenery: { nodes: 'bystander', pollMinutes: 5 },
    orders: () => ({ 0: [fault('data', notThere, 'list-icm-messages')] }),
    // It is asked every five minutes, and the rule waits for an hour.
    alerts: [
      warns('StakewatchMessagesUnknown', [{ route: 'out' }, { route: 'home' }], {
        at: 60,
        within: 15,
        fills: { route: { unknown: 'messages/Routes' } },
      }),
    ],
  },
]

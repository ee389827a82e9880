// Whose opinion counts: validators of an L1 that go away, and observers that cannot tell.

import { action, fault, type Incident, pages, status, warns } from '../incident.ts'

/** Half of what all stake together. */
const HALF = 3_000_000_000_000_000

export const votes: readonly Incident[] = [
  {
    name: 'a tracked validator of an L1 goes offline for forty minutes and comes back',
    minutes: 60,
    orders: ({ orchard: [golf] }) => ({
      0: [action({ kind: 'disconnect', nodeId: golf })],
      40: [action({ kind: 'reconnect', nodeId: golf })],
    }),
    // golf carries 54 of 663: without it the heaviest must not go as well.
    alerts: [
      pages('StakewatchL1ValidatorDisconnected', [{ validator: 'golf' }], {
        until: 51,
        fills: { l1Validator: { offline: 'l1s/Connections to L1 validators' } },
      }),
      warns('StakewatchL1OneStepFromStall', [{ subnet: 'orchard' }], { until: 51 }),
    ],
  },
  {
    name: 'one of two nodes, which is a validator itself, loses all its peers for half an hour',
    minutes: 50,
    orders: ({ nodes: [, nodeId] }) => ({
      0: [action({ kind: 'isolate', nodeId, share: 1 })],
      30: [action({ kind: 'rejoin', nodeId })],
    }),
    alerts: [
      pages('StakewatchOwnNodeUnhealthy', [{ source: 'node-b', check: 'network' }], { until: 41 }),
      pages('StakewatchValidatorDisconnected', [{ validator: 'bravo' }], { until: 41 }),
      // In this network the data service asks node-b about node-a. It is read once in five minutes.
      warns('StakewatchValidatorUnreachable', [{ validator: 'alpha' }], { until: 43 }),
    ],
  },
  {
    name: 'the only observer benches a validator for half an hour, which runs and is a peer',
    minutes: 50,
    scenery: { nodes: 'bystander' },
    orders: ({ nodes: [, , observer], validators: { charlie } }) => ({
      0: [action({ kind: 'bench', nodeId: charlie, observer, blockchainId: 'C' })],
      30: [action({ kind: 'unbench', nodeId: charlie, observer, blockchainId: 'C' })],
    }),
    alerts: [pages('StakewatchValidatorDisconnected', [{ validator: 'charlie' }], { until: 41 })],
  },
  {
    name: 'a tracked validator with two fifths of the stake goes away, so that the nodes reach too little of it',
    minutes: 30,
    orders: ({ validators: { delta } }) => ({
      [-5]: [action({ kind: 'delegate', nodeId: delta, amount: HALF, duration: 30 * 86_400 })],
      0: [action({ kind: 'disconnect', nodeId: delta })],
    }),
    // The nodes are well, though their checks of the chains fail.
    alerts: [pages('StakewatchValidatorDisconnected', [{ validator: 'delta' }])],
  },
  {
    name: 'one of two nodes answers 503, and the other loses half of its peers and says that it sees too little stake',
    minutes: 40,
    orders: ({ nodes: [, nodeId] }) => ({
      0: [fault('node-a', status(503)), action({ kind: 'isolate', nodeId, share: 0.5 })],
    }),
    alerts: [
      pages(
        'StakewatchOwnNodeUnhealthy',
        ['P', 'X', 'C'].map((check) => ({ source: 'node-b', check })),
      ),
      warns('StakewatchUpstreamDown', [{ source: 'node-a' }]),
    ],
  },
]

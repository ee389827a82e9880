// What is wrong, and then nothing reports it any more.

import { action, fault, type Incident, pages, repair, status, warns } from '../incident.ts'

const wallet = (address: string) => [{ address }]

export const unknowns: readonly Incident[] = [
  {
    name: 'a wallet is drained, and the data service is away from minute 12 to 57',
    minutes: 90,
    scenery: { nodes: 'bystander' },
    orders: ({ vault }) => ({
      0: [action({ kind: 'drain', chain: 'P', address: vault })],
      12: [fault('data', status(503))],
      57: [repair],
    }),
    alerts: [
      pages('StakewatchUnexpectedOutflow', wallet('vault')),
      // It answers again within a minute, and the alert holds for ten.
      warns('StakewatchUpstreamDown', [{ source: 'data-api' }], { at: 12, until: 67 }),
    ],
  },
  {
    name: 'a wallet runs low, and then the data service rejects the key for forty minutes',
    minutes: 90,
    scenery: { nodes: 'bystander' },
    orders: ({ relayer }) => ({
      0: [action({ kind: 'drain', chain: 'C', address: relayer })],
      15: [fault('data', status(401))],
      55: [repair],
    }),
    alerts: [
      pages('StakewatchWalletLow', wallet('relayer'), { within: 11 }),
      // It is asked once in ten minutes, and the alert holds for ten.
      warns('StakewatchCredentialsRejected', [{ source: 'data-api' }], { at: 15, until: 70 }),
    ],
  },
  {
    name: 'an L1 stops, and then the only node that runs it goes away',
    minutes: 66,
    orders: ({ orchard: [, b, , , e, , , h] }) => ({
      // 59 percent are left.
      0: [b, e, h].map((nodeId) => action({ kind: 'disconnect', nodeId })),
      15: [fault('node-b', { kind: 'reset' })],
      45: [repair],
    }),
    alerts: [
      pages('StakewatchL1MessagesUnsigned', [{ subnet: 'orchard' }]),
      warns('StakewatchUpstreamDown', [{ source: 'node-b' }], { at: 15, within: 18, until: 55 }),
    ],
  },
]

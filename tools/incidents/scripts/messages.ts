// What happens to messages between chains.

import { action, type Incident, warns } from '../incident.ts'

export const messages: readonly Incident[] = [
  {
    name: 'the relayer stops, and goes on fifty minutes later',
    scenery: { nodes: 'bystander' },
    minutes: 60,
    orders: () => ({ 0: [action({ kind: 'stop-relayer' })], 50: [action({ kind: 'start-relayer' })] }),
    // The other route has no message in that time.
    alerts: [
      warns('StakewatchIcmStuck', [{ route: 'home' }], {
        at: 30,
        fills: {
          route: {
            offline: 'messages/Oldest pending message of routes',
            stalled: 'messages/Oldest pending message of routes',
            lagging: 'messages/Oldest pending message of routes',
          },
        },
      }),
    ],
  },
  {
    name: 'the validators of an L1 sign no messages',
    minutes: 160,
    sampleMinutes: 5,
    scenery: { nodes: 'bystander', pollMinutes: 5 },
    orders: () => ({ 0: [action({ kind: 'withhold-signatures', subnet: 'orchard' })] }),
    // Probes are an hour apart, and two have to fail.
    alerts: [
      warns('StakewatchSignaturesMissing', [{ probe: 'registration' }], {
        within: 160,
        fills: {
          route: { unhealthy: 'messages/Signatures of validators', unreachable: 'messages/Signatures of validators' },
        },
      }),
    ],
  },
]

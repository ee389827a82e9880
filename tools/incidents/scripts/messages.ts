// What happens to messages between chains.

import { action, type Incident } from '../incident.ts'

export const messages: readonly Incident[] = [
  {
    name: 'the relayer stops, and brings everything over an hour later',
    minutes: 90,
    orders: () => ({ 0: [action({ kind: 'stop-relayer' })], 65: [action({ kind: 'start-relayer' })] }),
    // On the other route the first message is sent at minute 52.
    alerts: [{ alert: 'StakewatchIcmStuck', of: [{ route: 'home' }], at: 30 }],
  },
  {
    name: 'the validators of an L1 sign no messages',
    minutes: 200,
    sampleMinutes: 5,
    scenery: { pollMinutes: 5 },
    orders: () => ({ 0: [action({ kind: 'withhold-signatures', subnet: 'orchard' })] }),
    // Probes are an hour apart, and two have to fail.
    alerts: [{ alert: 'StakewatchSignaturesMissing', of: [{ probe: 'registration' }], within: 160 }],
  },
]

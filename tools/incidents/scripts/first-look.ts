// What left a wallet before stakewatch looked: history at a first look, and news after a restart.

import { action, type Incident, pages } from '../incident.ts'

const drained = (vault: string) => action({ kind: 'drain', chain: 'P', address: vault })
const outflow = pages('StakewatchUnexpectedOutflow', [{ address: 'vault' }])

export const firstLook: readonly Incident[] = [
  {
    name: 'stakewatch starts without a storage, an hour after something left a wallet',
    minutes: 85,
    scenery: { nodes: 'bystander' },
    orders: ({ vault }) => ({ 0: [{ daemon: 'stop' }], 1: [drained(vault)], 61: [{ daemon: 'start' }] }),
    alerts: [pages('StakewatchDown', undefined, { until: 61 })],
  },
  {
    name: 'something leaves a wallet during a short restart without a storage',
    minutes: 20,
    scenery: { nodes: 'bystander' },
    orders: ({ vault }) => ({ 0: [{ daemon: 'stop' }], 1: [drained(vault)], 3: [{ daemon: 'start' }] }),
    alerts: [{ ...outflow, at: 3 }],
  },
  {
    name: 'something leaves a wallet while stakewatch with a storage is down for an hour',
    minutes: 75,
    // They catch up on an hour of blocks, for which their budget of a minute does not do.
    fails: ['evm-blocks', 'primary-blocks'],
    scenery: { nodes: 'bystander', storage: true },
    orders: ({ vault }) => ({ 0: [{ daemon: 'stop' }], 1: [drained(vault)], 61: [{ daemon: 'start' }] }),
    alerts: [pages('StakewatchDown', undefined, { until: 61 }), { ...outflow, at: 61 }],
  },
]

// The node's own interface, info: recorded from AvalancheGo 1.14.2, with a validator away that has a fifth of the stake.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'info.uptime',
  asks: [{ params: {}, request: 'POST /ext/info', body: {} }],
  refuses: [],
  answers: [
    {
      fixture: 'node/info.uptime.recorded',
      value: { rewardingStakePercentage: 80.0062, weightedAveragePercentage: 79.4061 },
    },
  ],
  missing: ["couldn't get node uptime: node is not a validator"],
}

// info.uptime: what the other validators think of the uptime of the asked node.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { percent } from '../fields.ts'

/**
 * In percent of stake. It is the only answer in which a node tells how the network will vote about its own reward. A node
 * that is no validator has none.
 */
export const infoUptime = defineOperation({
  name: 'info.uptime',
  source: "the node's own interface, info",
  service: 'node',
  effect: 'read',
  via: { rpc: '/ext/info' },
  params: z.object({}),
  answer: z.object({
    rewardingStakePercentage: percent.describe(
      'share of the stake that would vote for the reward of the node, 0 to 100',
    ),
    weightedAveragePercentage: percent.describe('mean of the uptimes that validators see, weighted by stake, 0 to 100'),
  }),
  notFound: /node is not a validator$/,
  notFoundLasts: true,
  cost: 1,
})

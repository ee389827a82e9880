// info.uptime: what the other validators think of the uptime of the asked node.

import { z } from 'zod'
import { percent } from '../fields.ts'
import { defineMethod } from './method.ts'

/**
 * In percent of stake. No other answer of a node says how the network will vote on its reward. A node that is not a
 * validator answers with an error.
 */
export const infoUptime = defineMethod({
  name: 'info.uptime',
  answer: z.object({
    rewardingStakePercentage: percent.describe(
      'share of the stake that would vote for the reward of the node, 0 to 100',
    ),
    weightedAveragePercentage: percent.describe('mean of the uptimes that validators see, weighted by stake, 0 to 100'),
  }),
  notFound: /node is not a validator$/,
  notFoundLasts: true,
})

// node-uptime: how the network would vote on the reward of each node that is a validator. info.uptime (the node's own
// interface, info): each node asks the other validators what uptime they saw.

import { toRatio } from '../../lib/units.ts'
import { ofNode } from '../../metrics/define.ts'
import { infoUptime } from '../../operations/node/info.ts'
import { ifNotFound } from '../answers/not-found.ts'
import { defineCollector } from '../define.ts'

const rewarding = ofNode.gauge('stakewatch_node_rewarding_stake_ratio', {
  is: 'share',
  help: "Share of the primary network's stake that saw enough uptime to vote for the node's reward; absent for non-validators (info.uptime).",
  details: "As the node's peers report it.",
})
const average = ofNode.gauge('stakewatch_node_observed_uptime_ratio', {
  is: 'share',
  help: 'Stake-weighted mean uptime of the node as other validators see it; absent for non-validators (info.uptime).',
})

export const nodeUptime = defineCollector({
  name: 'node-uptime',
  about: 'Stake that would vote for the reward of each node that is a validator.',
  every: '1m',
  uses: [infoUptime],
  observer: 'each',
  isEssential: true,
  metrics: [rewarding, average],
  subjects: () => [{ name: 'all', labels: {} }],
  estimate: () => ({ series: 2 }),
  async collect({ call }) {
    const answer = await call(infoUptime, {}).catch(ifNotFound)
    // The node is definitely no validator.
    if (!answer) return { samples: [] }
    const { rewardingStakePercentage, weightedAveragePercentage } = answer.value
    return {
      samples: [
        rewarding.sample({}, toRatio(rewardingStakePercentage)),
        average.sample({}, toRatio(weightedAveragePercentage)),
      ],
    }
  },
})

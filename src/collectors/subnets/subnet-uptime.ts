// subnet-uptime: how many validators of the primary network each node sees below common thresholds of uptime.
// platform.getCurrentValidators (document 2), the whole set; other subnets have no uptime there.

import { totalOf } from '../../judgements/stake.ts'
import { toRatio } from '../../lib/units.ts'
import { opinionOfSubnet } from '../../metrics/define.ts'
import { getCurrentValidators } from '../../operations/node/platform-validators.ts'
import { defineCollector } from '../define.ts'
import { allSubnets, members, votingWeight } from '../subjects/subnets.ts'

const validatorsBelow = opinionOfSubnet.gauge('stakewatch_subnet_validators_below_uptime', {
  help: 'Validators that the node `source` saw connected for less than `threshold` of their time (platform.getCurrentValidators).',
  labels: ['threshold'],
})
const weightBelow = opinionOfSubnet.gauge('stakewatch_subnet_weight_below_uptime', {
  help: 'Voting weight of the validators that the node `source` saw connected for less than `threshold` of their time; absent while unknown.',
  labels: ['threshold'],
})

const thresholds = [0.5, 0.8, 0.9, 0.95, 0.99]

export const subnetUptime = defineCollector({
  name: 'subnet-uptime',
  about: 'Number and weight of validators below common uptime thresholds, as each node sees them.',
  every: '5m',
  uses: [getCurrentValidators],
  observer: 'each',
  metrics: [validatorsBelow, weightBelow],
  subjects: (network) => allSubnets(network).filter(({ isPrimary }) => isPrimary),
  estimate: () => ({ series: 2 * thresholds.length }),
  async collect({ subject, call }) {
    const { value, dropped, nodeId } = await call(getCurrentValidators, { subnetID: subject.id })
    // An unreadable record may be below any threshold.
    if (dropped > 0) return { samples: [] }
    const seen = members(value.validators).flatMap((record) =>
      record.uptime === undefined || record.nodeID === nodeId
        ? []
        : [{ uptime: toRatio(record.uptime), weight: votingWeight(record, subject) }],
    )
    // Without any uptime the node has no opinion; 0 below every threshold would be one.
    if (seen.length === 0) return { samples: [] }
    const samples = thresholds.flatMap((mark) => {
      const below = seen.filter(({ uptime }) => uptime < mark)
      const threshold = String(mark)
      const weight = totalOf(below.map(({ weight }) => weight))
      const count = validatorsBelow.sample({ threshold }, below.length)
      return weight === undefined ? [count] : [count, weightBelow.sample({ threshold }, weight)]
    })
    return { samples }
  },
})

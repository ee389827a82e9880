// platform.getTotalStake: the weight of the whole set.

import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { getTotalStake } from '../../operations/node/platform-subnets.ts'
import { handles } from '../handler.ts'
import { weightsIn } from './consensus-weights.ts'

export const handleGetTotalStake = handles(getTotalStake, ({ world }, { subnetID = PRIMARY_NETWORK_ID }) => {
  const weight = String(weightsIn(world, subnetID).reduce((sum, one) => sum + one.weight, 0n))
  return { stake: weight, weight }
})

// platform.getValidatorsAt: at the proposed height alone, as the simulated network keeps no sets of the past.

import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { getValidatorsAt } from '../../operations/node/platform.getValidatorsAt.ts'
import { handles } from '../serve.ts'
import { weightsIn } from './consensus-weights.ts'

/** Where the weight of inactive L1 validators stands. */
const EMPTY = 'NodeID-111111111111111111116DBWJs'

export const handleGetValidatorsAt = handles(getValidatorsAt, ({ world }, { subnetID = PRIMARY_NETWORK_ID }) => {
  const all = weightsIn(world, subnetID)
  const inactive = all.filter(({ nodeId }) => nodeId === undefined).reduce((sum, { weight }) => sum + weight, 0n)
  return {
    ...(inactive > 0n ? { [EMPTY]: { publicKey: null, weight: String(inactive) } } : {}),
    ...Object.fromEntries(
      all.flatMap(({ nodeId, publicKey = null, weight }) =>
        nodeId === undefined ? [] : [[nodeId, { publicKey, weight: String(weight) }]],
      ),
    ),
  }
})

// platform.getValidatorsAt: at the proposed height and the newest one, and of the primary network at heights of the past.

import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { getValidatorsAt } from '../../operations/node/platform-validators.ts'
import { handles } from '../handler.ts'
import { INACTIVE_NODE_ID } from '../world/l1.ts'
import { isBefore, refuseUnknownHeight, weightsIn } from './consensus-weights.ts'

export const handleGetValidatorsAt = handles(
  getValidatorsAt,
  ({ world }, { subnetID = PRIMARY_NETWORK_ID, height }) => {
    if (isBefore(world, subnetID, height)) return {}
    refuseUnknownHeight(world, height, subnetID)
    const all = weightsIn(world, subnetID, height)
    const inactive = all.filter(({ nodeId }) => nodeId === undefined).reduce((sum, { weight }) => sum + weight, 0n)
    return {
      ...(inactive > 0n ? { [INACTIVE_NODE_ID]: { publicKey: null, weight: String(inactive) } } : {}),
      ...Object.fromEntries(
        all.flatMap(({ nodeId, publicKey = null, weight }) =>
          nodeId === undefined ? [] : [[nodeId, { publicKey, weight: String(weight) }]],
        ),
      ),
    }
  },
)

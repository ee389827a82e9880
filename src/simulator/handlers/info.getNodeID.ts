// info.getNodeID: the asked node, with the key that it validates with.

import { getNodeID } from '../../operations/node/info.ts'
import { handles, nodeOf } from '../handler.ts'

export const handleGetNodeID = handles(getNodeID, (place) => {
  const { nodeId } = nodeOf(place)
  const signer = place.world.validators.all.get(nodeId)?.signer
  return { nodeID: nodeId, ...(signer ? { nodePOP: signer } : {}) }
})

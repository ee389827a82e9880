// info.getNetworkID: which network the node belongs to.

import { getNetworkID } from '../../operations/node/info.ts'
import { handles, nodeOf } from '../handler.ts'

export const handleGetNetworkID = handles(getNetworkID, (place) => ({ networkID: String(nodeOf(place).networkId) }))
